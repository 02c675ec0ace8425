import type { RealmRow, UserRow } from "../core/context";
import { inLanguages, type Spoken } from "../core/language";
import { germanRoles, type Role, roleName, roles } from "../core/rights/role";
import { type Html, html } from "../core/text/html";
import { localeOfUser } from "../people/settings/locale";
import { languageOfStranger, localeOfRealm } from "../realm/locale";

const article = (role: Role) => (role <= roles.administrator ? "an" : "a");

const en = {
  hello: "Hello,",
  helloTo: (name: string) => `Hello ${name},`,
  join: "Join",
  joinRealm: (realm: string) => `Join ${realm}`,
  invitesAs: (inviter: string, role: Role) =>
    `${inviter} invites you as ${article(role)} ${roleName(role)}.`,
  emailAddress: "E-mail address",
  yourAddress: (email: string): Html => html`Your e-mail address: <b>${email}</b>`,
  yourName: "Your name",
  passwordOf: (length: number) => `A password of ${length} characters or more`,
  channelsToBegin: "Channels to begin with",
  noChannels: "Only the default channels",
  linkDoesNotWork: "This link does not work",
  whyNoLink:
    "It has been used or withdrawn, it has expired, or it was not copied completely. Ask the person who invited you for a new one.",
  orRegister: html`If nobody invited you, <a href="/register">ask for one here</a>.`,
  signedInAs: (name: string, email: string): Html =>
    html`You are signed in as <b>${name}</b> (${email}).`,
  forAnother: "This link makes another account. To use it, sign out first.",
  signOut: "Sign out",
  joinedAlready: "Have you already joined?",
  welcome: (realm: string) => `Welcome to ${realm}`,
  accountReady: "Your account is ready, and this browser is signed in.",
  openChat: "Open the chat",
  linkComes: "You will get a mail with a link to continue.",
  mailLink: "Mail me a link",
  signIn: "Sign in",
  lookIntoMail: "Check your mail",
  linkOnItsWay: "A link is on its way to your address. It works once, for a day.",
  byInvitation: (realm: string) => `You need an invitation to join: ask a member of ${realm}.`,
  joinBy: (realm: string) => `with this link you join ${realm}:`,
  worksOnce: (until: string) =>
    `It works once, until ${until}. If you did not ask for it, you can ignore this mail.`,
  inAlready: (realm: string) => `You are already a member of ${realm}`,
  wantedToJoin: (realm: string) =>
    `somebody wanted to join ${realm} with your address, which has an account.`,
  notYou: "If it was not you, you can ignore this mail.",
  invitesTo: (inviter: string, realm: string) => `${inviter} invites you to ${realm}`,
  invitesToJoin: (inviter: string, realm: string) =>
    `${inviter} invites you to join the team chat of ${realm}.`,
  invitationLasts: (until: string | undefined) =>
    `The link works once, ${until === undefined ? "until it is withdrawn" : `until ${until}`}. If you do not know the sender, you can ignore this mail.`,
  haveAccount: (inviter: string, realm: string) =>
    `${inviter} invites you to join ${realm}, where you already have an account with this address.`,
  inviterNotTold: "The person who invited you does not know that you have an account.",
};

const de: typeof en = {
  hello: "Hallo,",
  helloTo: (name) => `Hallo ${name},`,
  join: "Beitreten",
  joinRealm: (realm) => `${realm} beitreten`,
  invitesAs: (inviter, role) =>
    `${inviter} lädt dich als ${germanRoles.get(role) ?? "Mitglied"} ein.`,
  emailAddress: "E-Mail-Adresse",
  yourAddress: (email) => html`Deine E-Mail-Adresse: <b>${email}</b>`,
  yourName: "Dein Name",
  passwordOf: (length) => `Ein Passwort aus mindestens ${length} Zeichen`,
  channelsToBegin: "Kanäle für den Anfang",
  noChannels: "Nur die Standardkanäle",
  linkDoesNotWork: "Dieser Link funktioniert nicht",
  whyNoLink:
    "Er wurde schon benutzt oder zurückgezogen, ist abgelaufen oder wurde nicht vollständig kopiert. Bitte die Person, die dich eingeladen hat, um einen neuen.",
  orRegister: html`Hat dich niemand eingeladen, <a href="/register">bekommst du hier einen</a>.`,
  signedInAs: (name, email) => html`Du bist als <b>${name}</b> (${email}) angemeldet.`,
  forAnother: "Dieser Link legt ein weiteres Konto an. Melde dich dafür zuerst ab.",
  signOut: "Abmelden",
  joinedAlready: "Bist du schon beigetreten?",
  welcome: (realm) => `Willkommen bei ${realm}`,
  accountReady: "Dein Konto ist bereit, und dieser Browser ist angemeldet.",
  openChat: "Den Chat öffnen",
  linkComes: "Du bekommst eine Mail mit einem Link, mit dem es weitergeht.",
  mailLink: "Mir einen Link mailen",
  signIn: "Anmelden",
  lookIntoMail: "Sieh in deinem Postfach nach",
  linkOnItsWay: "Ein Link ist zu deiner Adresse unterwegs. Er gilt einmal, einen Tag lang.",
  byInvitation: (realm) =>
    `Zum Beitreten brauchst du eine Einladung: Bitte ein Mitglied von ${realm} darum.`,
  joinBy: (realm) => `mit diesem Link trittst du ${realm} bei:`,
  worksOnce: (until) =>
    `Er gilt einmal, bis ${until}. Wenn du nicht darum gebeten hast, ignoriere diese Mail einfach.`,
  inAlready: (realm) => `Du bist schon Mitglied von ${realm}`,
  wantedToJoin: (realm) =>
    `jemand wollte ${realm} mit deiner Adresse beitreten, die schon ein Konto hat.`,
  notYou: "Wenn du das nicht warst, ignoriere diese Mail einfach.",
  invitesTo: (inviter, realm) => `${inviter} lädt dich zu ${realm} ein`,
  invitesToJoin: (inviter, realm) => `${inviter} lädt dich in den Team-Chat von ${realm} ein.`,
  invitationLasts: (until) =>
    `Der Link gilt einmal, ${until === undefined ? "bis er zurückgezogen wird" : `bis ${until}`}. Wenn du den Absender nicht kennst, ignoriere diese Mail einfach.`,
  haveAccount: (inviter, realm) =>
    `${inviter} lädt dich ein, ${realm} beizutreten, wo du mit dieser Adresse schon ein Konto hast.`,
  inviterNotTold: "Die Person, die dich eingeladen hat, weiß nicht, dass du schon ein Konto hast.",
};

export type JoiningWords = Spoken<typeof en>;

/** Texts of the pages and mails by which people join. */
export const joiningWords = inLanguages({ en, de });

/** Texts of a page for somebody who has not signed in. */
export const wordsOfStranger = (ctx: Parameters<typeof languageOfStranger>[0]): JoiningWords =>
  joiningWords(languageOfStranger(ctx));

/** Texts of a mail for somebody who is no user yet, in the language of the organization. */
export const wordsOfRealm = (realm: RealmRow): JoiningWords =>
  joiningWords(localeOfRealm(realm).language);

/** Texts for somebody who has an account, in their own language. */
export const wordsOfUser = (user: UserRow): JoiningWords =>
  joiningWords(localeOfUser(user).language);
