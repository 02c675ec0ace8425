import { isoTime } from "../../core/clock";
import type { Tx, UserRow } from "../../core/context";
import { type MailPlace, siteOf } from "../../letters/envelope";
import { type Block, link, note, paragraph } from "../../letters/letter";
import { queueMail } from "../../letters/queue";
import { mailKeyOf } from "../../people/invited/store";
import { findUserByEmail } from "../../people/users/queries";
import { linkOf } from "./link";

/** An invitation of an address that is new, or has a new link. */
export interface MailedInvitation {
  id: number;
  email: string;
  token: string;
  /** UNIX seconds; null for never. */
  expiresAt: number | null;
}

/**
 * Mails an invitation. It replaces an earlier mail that still waits, and is not sent once the
 * invitation is withdrawn or has expired. If the address is refused, the inviter is told. An
 * address that already has an account gets a mail that says so, because the inviter could not know
 * it; one with a deactivated account gets nothing.
 */
export async function mailInvitation(
  tx: Tx,
  place: MailPlace,
  inviter: UserRow,
  invited: MailedInvitation,
): Promise<void> {
  const holder = await findUserByEmail(tx, place.realm.id, invited.email);
  if (holder && !holder.isActive) return;
  const { id, email, expiresAt } = invited;
  await queueMail(tx, place, {
    to: { email },
    subject: `${inviter.fullName} invites you to ${place.realm.name}`,
    letter: holder
      ? letterToHolder(place, inviter, holder)
      : letterToGuest(place, inviter, invited),
    about: "the invitation",
    key: mailKeyOf(id),
    expiresAt,
    tellUserId: inviter.id,
  });
}

function letterToGuest(
  place: MailPlace,
  { fullName }: UserRow,
  { token, expiresAt }: MailedInvitation,
): Block[] {
  const { name } = place.realm;
  const until = expiresAt === null ? "until it is withdrawn" : `until ${isoTime(expiresAt)}`;
  return [
    paragraph("Hello,"),
    paragraph(`${fullName} invites you to join ${name}, where people talk to each other.`),
    link(`Join ${name}`, linkOf({ url: siteOf(place) }, token)),
    note(`The link works once, ${until}. If you do not know the sender, you need not do anything.`),
  ];
}

const letterToHolder = (place: MailPlace, { fullName }: UserRow, holder: UserRow): Block[] => [
  paragraph(`Hello ${holder.fullName},`),
  paragraph(
    `${fullName} invites you to join ${place.realm.name}, where you have an account with this address already.`,
  ),
  link("Sign in", `${siteOf(place)}/login`),
  note("The inviter was not told that you have one."),
];
