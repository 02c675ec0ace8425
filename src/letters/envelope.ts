import type { App, RealmRow } from "../core/context";
import { ownMailHeader, ownMailMark } from "../core/own-mail";
import { makeRandomId } from "../core/secrets";
import { siteOf as siteAt } from "../core/site";
import { type Block, headerText, htmlOf, textOf } from "./letter";
import type { Envelope } from "./relay";

/** A mail that is to be sent. */
export interface Mail {
  to: { email: string; fullName?: string };
  subject: string;
  letter: readonly Block[];
  /** Name of it, in the log and in the notice that it was refused: "the invitation". */
  about: string;
  /**
   * Of a key one mail waits at the most: a later one takes its place, and `cancelMail` takes it
   * back.
   */
  key?: string;
  /** UNIX seconds after which it says nothing true any more: it is not sent then. */
  expiresAt?: number | null;
  /** UNIX seconds before which it is not sent. */
  notBefore?: number;
  /**
   * Person whom Notification Bot tells, once a week, when the address is refused for good; else the
   * log alone learns of it.
   */
  tellUserId?: number;
  /**
   * For what tells of messages: after ten minutes it is not sent any more, and it is looked again
   * what this person has missed.
   */
  lookAgain?: { userId: number; fromMessage: number };
  /** The address that ends this kind of mail for whom it is to, with one click (RFC 8058). */
  unsubscribeUrl?: string;
}

/** Server and organization that a mail comes from. */
export type MailPlace = { app: App; realm: RealmRow };

/**
 * The address of an organization as mails have it: as configured, never as a request names it.
 * Without a slash at its end.
 */
export const siteOf = (place: MailPlace): string => siteAt(place);

/**
 * A mail as it goes to the relay. Texts of people are made fit for where they stand: headers, plain
 * text, HTML.
 */
export function envelopeOf(
  place: MailPlace,
  now: number,
  { to, subject, letter, unsubscribeUrl }: Mail,
): Envelope {
  const { app, realm } = place;
  const address = app.config.mailFrom ?? `noreply@${realm.host}`;
  return {
    from: { name: headerText(realm.name), address },
    to: { name: headerText(to.fullName ?? ""), address: to.email },
    subject: headerText(subject),
    text: textOf(letter),
    html: htmlOf(letter),
    date: now,
    messageId: `<${makeRandomId()}@${address.slice(address.lastIndexOf("@") + 1)}>`,
    headers: {
      // Nobody's absence is to answer it (RFC 3834).
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      [ownMailHeader]: ownMailMark(app.secrets),
      ...(unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)),
    },
  };
}

/** One click is for addresses with https alone (RFC 8058, 3.1). */
const unsubscribeHeaders = (url: string) => ({
  "List-Unsubscribe": `<${url}>`,
  ...(url.startsWith("https:") ? { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
});

const purposeOf = (realmId: number) => `mail of realm ${realmId}`;

/**
 * A mail as it waits: there may be a link in it that signs somebody in, which stands nowhere in the
 * database.
 */
export const sealEnvelope = ({ app, realm }: MailPlace, envelope: Envelope): string =>
  app.secrets.seal(purposeOf(realm.id), JSON.stringify(envelope));

/** The mail that was sealed. */
export const openEnvelope = ({ app, realm }: MailPlace, sealed: string): Envelope =>
  JSON.parse(app.secrets.open(purposeOf(realm.id), sealed));
