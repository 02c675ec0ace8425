import { type Static, Type } from "@sinclair/typebox";
import { jobEntry } from "../jobs/define";
import { mailJobName } from "./cancel";

export const WaitingMail = Type.Object({
  about: Type.String(),
  sealed: Type.String(),
  /** UNIX seconds. */
  expiresAt: Type.Union([Type.Integer(), Type.Null()]),
  tellUserId: Type.Union([Type.Integer(), Type.Null()]),
  lookAgain: Type.Optional(
    Type.Object({
      userId: Type.Integer(),
      fromMessage: Type.Integer(),
      /** The messages that the mail is about; mails of an older version do not tell. */
      messageIds: Type.Optional(Type.Array(Type.Integer())),
      /** Mark of what it shows of them; mails of an older version have none. */
      shown: Type.Optional(Type.String()),
    }),
  ),
  /** Person whose digest it is; digests of an older version do not tell. */
  digestOf: Type.Optional(Type.Integer()),
});

/** Entry for mails that wait to be sent. The module that sends them defines the job. */
export const waitingMails = jobEntry<Static<typeof WaitingMail>>(mailJobName);
