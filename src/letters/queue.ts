import type { Tx } from "../core/context";
import { envelopeOf, type Mail, type MailPlace, sealEnvelope } from "./envelope";
import { isMailOn } from "./relay";
import { waitingMails } from "./waiting-mail";

/**
 * Enqueues a mail, as part of the write that causes it. It is sent at least once, always with one
 * Message-ID, and retried for about two days while the relay cannot be reached. Answers false and
 * does nothing where no relay is configured, because everything that needs mail has another way.
 * Texts of people are passed unescaped: for headers they become one line, for HTML they are
 * escaped. Links begin with `siteOf`, never with an address from a request.
 */
export async function queueMail(tx: Tx, place: MailPlace, mail: Mail): Promise<boolean> {
  if (!isMailOn(place.app.config)) return false;
  const { about, key, expiresAt = null, notBefore = tx.now, tellUserId = null } = mail;
  const { lookAgain, digestOf } = mail;
  const again = { ...(lookAgain && { lookAgain }), ...(digestOf !== undefined && { digestOf }) };
  const sealed = sealEnvelope(place, envelopeOf(place, tx.now, mail));
  const how = { at: notBefore, ...(key === undefined ? {} : { key }) };
  await waitingMails.enqueue(tx, place, { about, sealed, expiresAt, tellUserId, ...again }, how);
  return true;
}
