import type { Tx, UserRow } from "../../core/context";
import { timeText } from "../../core/language";
import { siteOf } from "../../core/network/site";
import type { MailPlace } from "../../letters/envelope";
import { type Block, link, note, paragraph } from "../../letters/letter";
import { queueMail } from "../../letters/queue";
import { mailKeyOf } from "../../people/invited/store";
import { findUserByEmail } from "../../people/users/queries";
import { localeOfRealm } from "../../realm/locale";
import { linkOf } from "../invitation-link";
import { wordsOfRealm, wordsOfUser } from "../words";

/** An invitation of an address that is new, or has a new link. */
interface MailedInvitation {
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
  const words = holder ? wordsOfUser(holder) : wordsOfRealm(place.realm);
  await queueMail(tx, place, {
    to: { email },
    subject: words.invitesTo(inviter.fullName, place.realm.name),
    language: words.tag,
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
  const words = wordsOfRealm(place.realm);
  const until = expiresAt === null ? undefined : timeText(expiresAt, localeOfRealm(place.realm));
  return [
    paragraph(words.hello),
    paragraph(words.invitesToJoin(fullName, name)),
    link(words.joinRealm(name), linkOf({ url: siteOf(place) }, token)),
    note(words.invitationLasts(until)),
  ];
}

function letterToHolder(place: MailPlace, { fullName }: UserRow, holder: UserRow): Block[] {
  const words = wordsOfUser(holder);
  return [
    paragraph(words.helloTo(holder.fullName)),
    paragraph(words.haveAccount(fullName, place.realm.name)),
    link(words.signIn, `${siteOf(place)}/login`),
    note(words.inviterNotTold),
  ];
}
