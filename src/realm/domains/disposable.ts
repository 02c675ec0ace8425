/**
 * Well-known providers of disposable addresses, which anybody can read or which exist for minutes.
 * The owner of such an address is not known.
 */
// biome-ignore format: one domain a line would be a long list
const disposableDomains: ReadonlySet<string> = new Set([
  "0-mail.com", "10minutemail.com", "10minutemail.net", "1secmail.com", "1secmail.net", "1secmail.org", "20minutemail.com",
  "33mail.com", "anonbox.net", "burnermail.io", "byom.de", "deadaddress.com", "discard.email", "discardmail.com",
  "discardmail.de", "dispostable.com", "dropmail.me", "emailfake.com", "emailondeck.com", "emailtemporanea.net",
  "fakeinbox.com", "fakemail.net", "fakemailgenerator.com", "filzmail.com", "getairmail.com", "getnada.com", "grr.la",
  "guerrillamail.biz", "guerrillamail.com", "guerrillamail.de", "guerrillamail.info", "guerrillamail.net",
  "guerrillamail.org", "guerrillamailblock.com", "harakirimail.com", "inboxbear.com", "inboxkitten.com", "incognitomail.org",
  "jetable.org", "luxusmail.org", "mail-temp.com", "mail-temporaire.fr", "mailcatch.com", "maildrop.cc", "mailexpire.com",
  "mailinator.com", "mailinator.net", "mailinator2.com", "mailnesia.com", "mailnull.com", "mailpoof.com", "mailsac.com",
  "mailtemp.info", "mintemail.com", "minuteinbox.com", "moakt.com", "mohmal.com", "mytemp.email", "mytrashmail.com",
  "nada.email", "no-spam.ws", "nowmymail.com", "objectmail.com", "owlymail.com", "pokemail.net", "sharklasers.com",
  "shieldedmail.com", "sogetthis.com", "spam4.me", "spambog.com", "spambox.us", "spamex.com", "spamgourmet.com",
  "spamherelots.com", "spamhole.com", "temp-mail.io", "temp-mail.org", "tempail.com", "tempinbox.com", "tempmail.de",
  "tempmail.net", "tempmail.plus", "tempmailaddress.com", "tempmailo.com", "tempomail.fr", "temporaryemail.net",
  "temporarymail.com", "throwawaymail.com", "tmail.ws", "tmailor.com", "tmpmail.net", "tmpmail.org", "trash-mail.com",
  "trashmail.com", "trashmail.de", "trashmail.me", "trashmail.net", "trashmail.ws", "wegwerfemail.de", "wegwerfmail.de",
  "wegwerfmail.net", "yopmail.com", "yopmail.fr", "yopmail.net",
]);

/**
 * Whether a domain, or a parent of it, provides disposable addresses. `domain` is in lower case.
 */
export function isDisposable(domain: string): boolean {
  const labels = domain.split(".");
  return labels.some((_, at) => disposableDomains.has(labels.slice(at).join(".")));
}
