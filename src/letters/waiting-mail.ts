import { type Static, Type } from "@sinclair/typebox";
import { jobEntry } from "../jobs/define";
import { mailJobName } from "./cancel";

export const WaitingMail = Type.Object({
  about: Type.String(),
  sealed: Type.String(),
  /** UNIX seconds. */
  expiresAt: Type.Union([Type.Integer(), Type.Null()]),
  tellUserId: Type.Union([Type.Integer(), Type.Null()]),
  lookAgain: Type.Optional(Type.Object({ userId: Type.Integer(), fromMessage: Type.Integer() })),
});

/** Mails that wait to be sent. The job that sends them is defined where it is carried out. */
export const waitingMails = jobEntry<Static<typeof WaitingMail>>(mailJobName);
