import type { UserRow } from "../../core/context";
import { inLanguages, type Spoken } from "../../core/language";
import type { MailKind } from "../../letters/unsubscribe-link";
import { localeOfUser } from "../../people/settings/locale";

const count = (number: number, one: string, many: string) =>
  `${number} ${number === 1 ? one : many}`;

const en = {
  hello: (name: string) => `Hello ${name},`,
  // missed messages
  newMessages: "New messages",
  waiting: (number: number, realm: string) =>
    `${number === 1 ? "a new message waits" : `${number} new messages wait`} for you in ${realm}.`,
  read: "Read",
  moreBefore: (number: number) => `${number} more before:`,
  answerThere: "Reply",
  whyMissed: (realm: string) =>
    `You get this mail because you were away when this was sent to you in ${realm}.`,
  hasWritten: (name: string) => `${name} has written to you`,
  conversationWith: (names: string) => `Conversation with ${names}`,
  // digest
  theWeek: (realm: string) => `The week at ${realm}`,
  whileAway: (realm: string) => `this happened at ${realm} while you were away:`,
  goTo: (realm: string) => `Go to ${realm}`,
  onceAWeek: "You get this mail once a week if you have been away.",
  messagesOf: (messages: number, people: number) =>
    `${count(messages, "message", "messages")} from ${count(people, "person", "people")}`,
  newChannels: (names: string) => `New channels: ${names}`,
  messagesIn: (messages: number, topics: number) =>
    `${count(messages, "message", "messages")} in ${count(topics, "topic", "topics")}`,
  andChannels: (channels: number) => `, ${count(channels, "new channel", "new channels")}`,
  // unsubscribing
  mail: "Mail",
  unsubscribe: "Unsubscribe",
  mailOf: (realm: string) => `Mail from ${realm}`,
  kinds: {
    login: "mails about new sign-ins",
    missed: "mails about missed messages",
    digest: "weekly digests",
  } satisfies Record<MailKind, string>,
  noMore: (kind: string) => `Do you want to stop getting ${kind}?`,
  done: "Done",
  getNoMore: (kind: string, realm: string) =>
    `You will get no more ${kind} from ${realm}. You can turn them on again in your settings.`,
  linkDoesNotWork: "This link does not work",
  notCopied: "It was not copied completely. You can choose in your settings which mails you want.",
};

const de: typeof en = {
  hello: (name) => `Hallo ${name},`,
  newMessages: "Neue Nachrichten",
  waiting: (number, realm) =>
    `${number === 1 ? "eine neue Nachricht wartet" : `${number} neue Nachrichten warten`} bei ${realm} auf dich.`,
  read: "Lesen",
  moreBefore: (number) => `${number} weitere davor:`,
  answerThere: "Dort antworten",
  whyMissed: (realm) =>
    `Diese Mail bekommst du, weil du nicht da warst, als dir das bei ${realm} geschickt wurde.`,
  hasWritten: (name) => `${name} hat dir geschrieben`,
  conversationWith: (names) => `Unterhaltung mit ${names}`,
  theWeek: (realm) => `Die Woche bei ${realm}`,
  whileAway: (realm) => `das ist bei ${realm} passiert, während du weg warst:`,
  goTo: (realm) => `Zu ${realm}`,
  onceAWeek: "Diese Mail bekommst du einmal in der Woche, wenn du nicht da warst.",
  messagesOf: (messages, people) =>
    `${count(messages, "Nachricht", "Nachrichten")} von ${count(people, "Person", "Personen")}`,
  newChannels: (names) => `Neue Kanäle: ${names}`,
  messagesIn: (messages, topics) =>
    `${count(messages, "Nachricht", "Nachrichten")} in ${count(topics, "Thema", "Themen")}`,
  andChannels: (channels) => `, ${count(channels, "neuer Kanal", "neue Kanäle")}`,
  mail: "Mails",
  unsubscribe: "Abbestellen",
  mailOf: (realm) => `Mails von ${realm}`,
  kinds: {
    login: "Mails über neue Anmeldungen",
    missed: "Mails über verpasste Nachrichten",
    digest: "Wochenübersichten",
  },
  noMore: (kind) => `Willst du keine ${kind} mehr bekommen?`,
  done: "Fertig",
  getNoMore: (kind, realm) =>
    `Du bekommst von ${realm} keine ${kind} mehr. In deinen Einstellungen kannst du das wieder ändern.`,
  linkDoesNotWork: "Dieser Link funktioniert nicht",
  notCopied:
    "Er wurde nicht vollständig kopiert. Welche Mails du bekommst, kannst du in deinen Einstellungen wählen.",
};

export type MailWords = Spoken<typeof en>;

/** Texts of mails about messages, and of the pages that unsubscribe from them. */
export const mailWords = inLanguages({ en, de });

/** Texts for somebody, in their own language. */
export const wordsOfUser = (user: UserRow) => mailWords(localeOfUser(user).language);
