import { isoTime } from "../core/clock";
import type { Tx, UserRow } from "../core/context";
import { type Mail, type MailPlace, siteOf } from "../mail/envelope";
import { link, note, say } from "../mail/letter";
import { queueMail } from "../mail/queue";
import { linkOf } from "./link";
import { mailKeyOf } from "./store";

/** An invitation of an address that was made, or has a new link. */
export interface MailedInvitation {
  id: number;
  email: string;
  token: string;
  /** UNIX seconds; null for never. */
  expiresAt: number | null;
}

/**
 * Writes to an invited address; a mail before it that still waits is not sent any more, nor is this one when the invitation is
 * withdrawn or has expired. Where the address is refused, the inviter is told.
 */
export const mailInvitation = (
  tx: Tx,
  place: MailPlace,
  inviter: UserRow,
  invited: MailedInvitation,
): Promise<boolean> => queueMail(tx, place, invitationMail(place, inviter, invited));

function invitationMail(place: MailPlace, inviter: UserRow, { id, email, token, expiresAt }: MailedInvitation): Mail {
  const { name } = place.realm;
  const until = expiresAt === null ? "until it is withdrawn" : `until ${isoTime(expiresAt)}`;
  return {
    to: { email },
    subject: `${inviter.fullName} invites you to ${name}`,
    letter: [
      say("Hello,"),
      say(`${inviter.fullName} invites you to join ${name}, where people talk to each other.`),
      link(`Join ${name}`, linkOf({ url: siteOf(place) }, token)),
      note(`The link works once, ${until}. If you do not know who that is, there is nothing to do.`),
    ],
    ...{ about: "the invitation", key: mailKeyOf(id), expiresAt, tellUserId: inviter.id },
  };
}
