import type { Tx } from "../core/context";
import { envelopeOf, type Mail, type MailPlace, sealEnvelope } from "./envelope";
import { isMailOn } from "./relay";
import { waitingMails } from "./waiting-mail";

/**
 * Has a mail sent, in the write of what causes it: at least once, each time with one Message-ID,
 * for about two days where the relay cannot be reached. Answers false, and does nothing, where no
 * relay is configured: all that mail does can be done without it. Texts of people are given as they
 * are: what stands in a header becomes one line, what stands in HTML is escaped. Links begin with
 * `siteOf`, never with what a request says.
 */
export async function queueMail(tx: Tx, place: MailPlace, mail: Mail): Promise<boolean> {
  if (!isMailOn(place.app.config)) return false;
  const { about, key, expiresAt = null, notBefore = tx.now, tellUserId = null, lookAgain } = mail;
  const sealed = sealEnvelope(place, envelopeOf(place, tx.now, mail));
  const how = { at: notBefore, ...(key === undefined ? {} : { key }) };
  await waitingMails.enqueue(
    tx,
    place,
    { about, sealed, expiresAt, tellUserId, ...(lookAgain && { lookAgain }) },
    how,
  );
  return true;
}
