import type { UserRow } from "../core/context";
import { type Html, html } from "../core/html";
import { inLanguages, type Spoken } from "../core/language";
import { localeOfUser } from "../people/settings/locale";
import { languageOfStranger } from "../realm/locale";

const en = {
  hello: (name: string) => `Hello ${name},`,
  signIn: "Sign in",
  signInTo: (realm: string) => `Sign in to ${realm}`,
  emailAddress: "E-mail address",
  password: "Password",
  noPassword: "No password, or forgotten?",
  askAdministrator:
    "Ask an administrator of your organization for a login link: it signs you in once, without a password.",
  noAccount: "No account yet?",
  createOne: "Create one",
  otherClient: "An app, a bot or a program?",
  howToConnect: "How to connect it",
  mailLoginLink: "Mail me a link that signs me in",
  mailLink: "Mail me a link",
  choosePassword: "Choose another password",
  anotherPassword: "Another password",
  lookIntoMail: "Check your mail",
  linkOnItsWay:
    "If somebody has an account with that address, a link is on its way there. It works once, for an hour.",
  openHere: "Open it in this browser, then go on here:",
  haveSignedIn: "I have signed in",
  endsAll: (name: string, email: string): Html =>
    html`For <b>${name}</b> (${email}). It ends all of your sessions and API keys: everything that you use has to sign in again.`,
  newPassword: "The new password",
  changePassword: "Change the password",
  passwordChanged: "Your password is changed",
  allEnded: "All of your sessions and API keys have ended.",
  signInWithNew: "Sign in with the new one",
  unencrypted:
    "The connection to this server is not encrypted: others on the way can read your password.",
  notDone: "Not done",
  wasNotDone: "This was not done",
  toAccount: "Go on to your account",
  signsInAs: (name: string, email: string): Html =>
    html`This link signs you in as <b>${name}</b> (${email}). It works once.`,
  signedInTo: (realm: string) => `You are signed in to ${realm}`,
  openChat: "Open the chat",
  linkDoesNotWork: "This link does not work",
  whyNoLink: html`It has been used, it has expired, or it was not copied in full. Ask your administrator for a new one: <code>chatd admin user login-link</code>.`,
  signedInAlready: "Are you signed in already?",
  giveToClient: "Give this to your client. The key is not shown again.",
  apiKey: "API key",
  serverAddress: "Address of the server",
  asFile: html`All of it, as a file <code>zuliprc</code>`,
  yourAccount: "Your account",
  loginLinkMail: (realm: string) => `with this link you sign in to ${realm}, without a password:`,
  onlyOnce: (until: string) =>
    `The link works once, until ${until}. If it was not you who asked for it, there is nothing to do.`,
  passwordMailSubject: (realm: string) => `Another password for ${realm}`,
  passwordMail: (realm: string) => `with this link you choose another password for ${realm}:`,
  choose: "Choose a password",
  newSignIn: (realm: string) => `New sign-in to ${realm}`,
  somebodySignedIn: (realm: string) => `somebody has signed in to ${realm} as you:`,
  signInFacts: (browser: string, address: string, time: string) =>
    `${browser}, from ${address}, on ${time}`,
  ifThatWasYou:
    "If that was you, there is nothing to do. If not, change your password at once: that signs you out of all other browsers and ends your API keys.",
  eachSignIn: "You get this each time that somebody signs in as you.",
  signedOut: "You are signed out.",
  signInFirst: "Sign in first.",
  noMail: "This server sends no mail. Ask an administrator of your organization for a login link.",
  keyOf: (label: string, time: string) => `"${label}" of ${time}`,
  andMore: (count: number) => `and ${count} more`,
  keysEnded: (max: number, count: number, names: string) =>
    `An account has at most ${max} API keys: ${count === 1 ? "the one longest unused has ended" : "those longest unused have ended"}, ${names}.`,
};

const de: typeof en = {
  hello: (name) => `Hallo ${name},`,
  signIn: "Anmelden",
  signInTo: (realm) => `Bei ${realm} anmelden`,
  emailAddress: "E-Mail-Adresse",
  password: "Passwort",
  noPassword: "Kein Passwort, oder vergessen?",
  askAdministrator:
    "Bitte einen Admin deiner Organisation um einen Anmeldelink: Er meldet dich einmal an, ohne Passwort.",
  noAccount: "Noch kein Konto?",
  createOne: "Eins anlegen",
  otherClient: "Eine App, ein Bot oder ein Programm?",
  howToConnect: "So wird es verbunden",
  mailLoginLink: "Mir einen Link mailen, der mich anmeldet",
  mailLink: "Mir einen Link mailen",
  choosePassword: "Ein anderes Passwort wählen",
  anotherPassword: "Ein anderes Passwort",
  lookIntoMail: "Sieh in deinem Postfach nach",
  linkOnItsWay:
    "Wenn jemand mit dieser Adresse ein Konto hat, ist ein Link dorthin unterwegs. Er gilt einmal, eine Stunde lang.",
  openHere: "Öffne ihn in diesem Browser, dann geht es hier weiter:",
  haveSignedIn: "Ich habe mich angemeldet",
  endsAll: (name, email) =>
    html`Für <b>${name}</b> (${email}). Damit enden alle deine Sitzungen und API-Schlüssel: Alles, was du benutzt, muss sich neu anmelden.`,
  newPassword: "Das neue Passwort",
  changePassword: "Passwort ändern",
  passwordChanged: "Dein Passwort ist geändert",
  allEnded: "Alle deine Sitzungen und API-Schlüssel sind beendet.",
  signInWithNew: "Mit dem neuen anmelden",
  unencrypted:
    "Die Verbindung zu diesem Server ist nicht verschlüsselt: Andere auf dem Weg können dein Passwort lesen.",
  notDone: "Nicht ausgeführt",
  wasNotDone: "Das wurde nicht ausgeführt",
  toAccount: "Weiter zu deinem Konto",
  signsInAs: (name, email) =>
    html`Dieser Link meldet dich als <b>${name}</b> (${email}) an. Er gilt einmal.`,
  signedInTo: (realm) => `Du bist bei ${realm} angemeldet`,
  openChat: "Den Chat öffnen",
  linkDoesNotWork: "Dieser Link funktioniert nicht",
  whyNoLink: html`Er wurde schon benutzt, ist abgelaufen oder wurde nicht ganz kopiert. Bitte deinen Admin um einen neuen: <code>chatd admin user login-link</code>.`,
  signedInAlready: "Bist du schon angemeldet?",
  giveToClient: "Trag das in deiner App ein. Der Schlüssel wird nicht noch einmal angezeigt.",
  apiKey: "API-Schlüssel",
  serverAddress: "Adresse des Servers",
  asFile: html`Alles zusammen, als Datei <code>zuliprc</code>`,
  yourAccount: "Dein Konto",
  loginLinkMail: (realm) => `mit diesem Link meldest du dich bei ${realm} an, ohne Passwort:`,
  onlyOnce: (until) =>
    `Der Link gilt einmal, bis ${until}. Wenn nicht du darum gebeten hast, ist nichts zu tun.`,
  passwordMailSubject: (realm) => `Ein anderes Passwort für ${realm}`,
  passwordMail: (realm) => `mit diesem Link wählst du ein anderes Passwort für ${realm}:`,
  choose: "Passwort wählen",
  newSignIn: (realm) => `Neue Anmeldung bei ${realm}`,
  somebodySignedIn: (realm) => `jemand hat sich bei ${realm} mit deinem Konto angemeldet:`,
  signInFacts: (browser, address, time) => `${browser}, von ${address}, am ${time}`,
  ifThatWasYou:
    "Wenn du das warst, ist nichts zu tun. Wenn nicht, ändere sofort dein Passwort: Das meldet dich in allen anderen Browsern ab und beendet deine API-Schlüssel.",
  eachSignIn: "Das bekommst du jedes Mal, wenn sich jemand mit deinem Konto anmeldet.",
  signedOut: "Du bist abgemeldet.",
  signInFirst: "Melde dich zuerst an.",
  noMail:
    "Dieser Server verschickt keine Mails. Bitte einen Admin deiner Organisation um einen Anmeldelink.",
  keyOf: (label, time) => `„${label}“ vom ${time}`,
  andMore: (count) => `und ${count} weitere`,
  keysEnded: (max, count, names) =>
    `Ein Konto hat höchstens ${max} API-Schlüssel: ${count === 1 ? "Der am längsten unbenutzte ist beendet" : "Die am längsten unbenutzten sind beendet"}, ${names}.`,
};

export type SignInWords = Spoken<typeof en>;

/** Texts of the pages and mails by which people sign in. */
export const signInWords = inLanguages({ en, de });

/** Texts of a page for somebody who has not signed in. */
export const wordsOfStranger = (ctx: Parameters<typeof languageOfStranger>[0]): SignInWords =>
  signInWords(languageOfStranger(ctx));

/** Texts for somebody, in their own language. */
export const wordsOfUser = (user: UserRow): SignInWords => signInWords(localeOfUser(user).language);
