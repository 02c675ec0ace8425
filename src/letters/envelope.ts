import type { App, RealmRow } from "../core/context";
import type { Language } from "../core/language";
import { ownMailHeader, ownMailMark } from "../core/own-mail";
import { makeRandomId } from "../core/secrets/secrets";
import { type Block, headerText, htmlOf, textOf } from "./letter";
import type { Envelope } from "./relay";

/** A mail that is to be sent. */
export interface Mail {
  to: { email: string; fullName?: string };
  subject: string;
  letter: readonly Block[];
  /** Language of the letter, for programs that read it out. */
  language: Language;
  /** Name of the mail in the log and in the notice that it was refused: "the invitation". */
  about: string;
  /** At most one mail with a key waits: a later one replaces it, and `cancelMail` cancels it. */
  key?: string;
  /** UNIX seconds after which it is outdated and not sent. */
  expiresAt?: number | null;
  /** UNIX seconds before which it is not sent. */
  notBefore?: number;
  /**
   * Person whom Notification Bot tells, once a week, when the address is refused for good; without
   * it that is only logged.
   */
  tellUserId?: number;
  /**
   * For mails about messages: not sent later than ten minutes, nor after what it shows of them has
   * changed; then a new mail is written about those of its messages that the person still has to
   * hear of. `shown`: mark of what it shows.
   */
  lookAgain?: { userId: number; fromMessage: number; messageIds?: number[]; shown?: string };
  /**
   * Person whose digest it is: not sent later than ten minutes; then a new one is written, if they
   * are still away and want one.
   */
  digestOf?: number;
  /**
   * The address that unsubscribes the recipient from this kind of mail, with one click (RFC 8058).
   */
  unsubscribeUrl?: string;
}

/** Server and organization that a mail comes from. */
export type MailPlace = { app: App; realm: RealmRow };

/** A mail for the relay. Texts of people are escaped for their place: headers, plain text, HTML. */
export function envelopeOf(
  place: MailPlace,
  now: number,
  { to, subject, letter, language, unsubscribeUrl }: Mail,
): Envelope {
  const { app, realm } = place;
  const address = app.config.mailFrom ?? `noreply@${realm.host}`;
  return {
    from: { name: headerText(realm.name), address },
    to: { name: headerText(to.fullName ?? ""), address: to.email },
    subject: headerText(subject),
    text: textOf(letter),
    html: htmlOf(letter, language),
    date: now,
    messageId: `<${makeRandomId()}@${address.slice(address.lastIndexOf("@") + 1)}>`,
    headers: {
      // Prevents automatic replies, such as absence notices (RFC 3834).
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      [ownMailHeader]: ownMailMark(app.secrets),
      ...(unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)),
    },
  };
}

/** One-click links must use https (RFC 8058, 3.1). */
const unsubscribeHeaders = (url: string) => ({
  "List-Unsubscribe": `<${url}>`,
  ...(url.startsWith("https:") ? { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
});

const purposeOf = (realmId: number) => `mail of realm ${realmId}`;

/** The stored form of a waiting mail, encrypted because a link in it may sign somebody in. */
export const sealEnvelope = ({ app, realm }: MailPlace, envelope: Envelope): string =>
  app.secrets.seal(purposeOf(realm.id), JSON.stringify(envelope));

/** Decrypts a sealed mail. */
export const openEnvelope = ({ app, realm }: MailPlace, sealed: string): Envelope =>
  JSON.parse(app.secrets.open(purposeOf(realm.id), sealed));
