import type { UserRow } from "../core/context";
import { inLanguages, type Spoken } from "../core/language";
import { type Html, html } from "../core/text/html";
import { localeOfUser } from "../people/settings/locale";
import { languageOfStranger } from "../realm/locale";

const en = {
  hello: (name: string) => `Hello ${name},`,
  signIn: "Sign in",
  signInTo: (realm: string) => `Sign in to ${realm}`,
  emailAddress: "E-mail address",
  password: "Password",
  noPassword: "No password, or forgot it?",
  askAdministrator:
    "Ask the operator of the server for a login link: it signs you in once, without a password.",
  noAccount: "No account yet?",
  createOne: "Create one",
  otherClient: "Want to connect an app or a bot?",
  howToConnect: "How to do it",
  mailLoginLink: "Mail me a link that signs me in",
  mailLink: "Mail me a link",
  choosePassword: "Choose a new password",
  anotherPassword: "New password",
  lookIntoMail: "Check your mail",
  linkOnItsWay:
    "If somebody has an account with that address, a link is on its way there. It works once, for an hour.",
  openHere: "Open it in this browser, then go on here:",
  haveSignedIn: "I have signed in",
  endsAll: (name: string, email: string): Html =>
    html`For <b>${name}</b> (${email}). A new password ends all your sessions and API keys: you must sign in again on every device and in every app.`,
  newPassword: "New password",
  changePassword: "Change the password",
  passwordChanged: "Your password has been changed",
  allEnded: "All of your sessions and API keys have ended.",
  signInWithNew: "Sign in with your new password",
  unencrypted:
    "The connection to this server is not encrypted: others on the network can read your password.",
  notDone: "Not done",
  wasNotDone: "This was not done",
  toAccount: "Continue to your account",
  signsInAs: (name: string, email: string): Html =>
    html`This link signs you in as <b>${name}</b> (${email}). It works once.`,
  signedInTo: (realm: string) => `You are signed in to ${realm}`,
  openChat: "Open the chat",
  linkDoesNotWork: "This link does not work",
  whyNoLink: "It has been used, it has expired, or it was not copied completely.",
  linkOfOperator: html`Ask the operator of the server for a new one: <code>chatd admin user login-link</code>.`,
  linkByMail: (path: string): Html =>
    html`You can <a href="${path}">have a new one mailed to you</a>.`,
  addressAgain: html`Is your address still the old one? <a href="/#settings/account">Ask for a new link in your settings</a>.`,
  signedInAlready: "Are you already signed in?",
  giveToClient: "Enter this in your client. The key is not shown again.",
  apiKey: "API key",
  serverAddress: "Server address",
  asFile: html`All of this as a <code>zuliprc</code> file`,
  yourAccount: "Your account",
  loginLinkMail: (realm: string) => `with this link you sign in to ${realm}, without a password:`,
  onlyOnce: (until: string) =>
    `The link works once, until ${until}. If you did not ask for it, you can ignore this mail.`,
  passwordMailSubject: (realm: string) => `Your new password for ${realm}`,
  passwordMail: (realm: string) => `with this link you choose a new password for ${realm}:`,
  choose: "Choose a password",
  newSignIn: (realm: string) => `New sign-in to ${realm}`,
  somebodySignedIn: (realm: string) => `somebody has signed in to your account at ${realm}:`,
  signInFacts: (browser: string, address: string, time: string) =>
    `${browser}, from ${address}, on ${time}`,
  ifThatWasYou:
    "If it was you, you need not do anything. If not, change your password at once: that signs you out of all other browsers and revokes your API keys.",
  eachSignIn: "You get this mail each time somebody signs in to your account.",
  signedOut: "You are signed out.",
  sessionOver: "Your session has ended. Sign in again: a message that you were writing is kept.",
  signInFirst: "Sign in first.",
  noMail: "This server sends no mail. Ask the operator of the server for a login link.",
  keyOf: (label: string, time: string) => `"${label}" of ${time}`,
  andMore: (count: number) => `and ${count} more`,
  keysEnded: (max: number, count: number, names: string) =>
    `An account has at most ${max} API keys. ${count === 1 ? "The key that was unused for the longest time has ended" : "The keys that were unused for the longest time have ended"}: ${names}.`,
};

const de: typeof en = {
  hello: (name) => `Hallo ${name},`,
  signIn: "Anmelden",
  signInTo: (realm) => `Bei ${realm} anmelden`,
  emailAddress: "E-Mail-Adresse",
  password: "Passwort",
  noPassword: "Kein Passwort oder Passwort vergessen?",
  askAdministrator:
    "Bitte den Betreiber des Servers um einen Anmeldelink: Mit ihm meldest du dich einmal ohne Passwort an.",
  noAccount: "Noch kein Konto?",
  createOne: "Eins anlegen",
  otherClient: "Willst du eine App oder einen Bot verbinden?",
  howToConnect: "So geht es",
  mailLoginLink: "Mir einen Link mailen, der mich anmeldet",
  mailLink: "Mir einen Link mailen",
  choosePassword: "Ein neues Passwort wählen",
  anotherPassword: "Ein neues Passwort",
  lookIntoMail: "Sieh in deinem Postfach nach",
  linkOnItsWay:
    "Wenn jemand mit dieser Adresse ein Konto hat, ist ein Link dorthin unterwegs. Er gilt einmal, eine Stunde lang.",
  openHere: "Öffne ihn in diesem Browser, dann geht es hier weiter:",
  haveSignedIn: "Ich habe mich angemeldet",
  endsAll: (name, email) =>
    html`Für <b>${name}</b> (${email}). Ein neues Passwort beendet alle deine Sitzungen und API-Schlüssel: Du musst dich auf jedem Gerät und in jeder App neu anmelden.`,
  newPassword: "Neues Passwort",
  changePassword: "Passwort ändern",
  passwordChanged: "Dein Passwort wurde geändert",
  allEnded: "Alle deine Sitzungen und API-Schlüssel sind beendet.",
  signInWithNew: "Mit dem neuen Passwort anmelden",
  unencrypted:
    "Die Verbindung zu diesem Server ist nicht verschlüsselt: Andere im Netz können dein Passwort lesen.",
  notDone: "Nicht ausgeführt",
  wasNotDone: "Das wurde nicht ausgeführt",
  toAccount: "Weiter zu deinem Konto",
  signsInAs: (name, email) =>
    html`Dieser Link meldet dich als <b>${name}</b> (${email}) an. Er gilt einmal.`,
  signedInTo: (realm) => `Du bist bei ${realm} angemeldet`,
  openChat: "Den Chat öffnen",
  linkDoesNotWork: "Dieser Link funktioniert nicht",
  whyNoLink: "Er wurde schon benutzt, ist abgelaufen oder wurde nicht vollständig kopiert.",
  linkOfOperator: html`Bitte den Betreiber des Servers um einen neuen: <code>chatd admin user login-link</code>.`,
  linkByMail: (path) => html`Du kannst dir <a href="${path}">einen neuen mailen lassen</a>.`,
  addressAgain: html`Gilt noch deine alte Adresse? <a href="/#settings/account">Fordere in den Einstellungen einen neuen Link an</a>.`,
  signedInAlready: "Bist du schon angemeldet?",
  giveToClient: "Trage das in deiner App ein. Der Schlüssel wird nicht noch einmal angezeigt.",
  apiKey: "API-Schlüssel",
  serverAddress: "Serveradresse",
  asFile: html`Alles zusammen als Datei <code>zuliprc</code>`,
  yourAccount: "Dein Konto",
  loginLinkMail: (realm) => `mit diesem Link meldest du dich bei ${realm} an, ohne Passwort:`,
  onlyOnce: (until) =>
    `Der Link gilt einmal, bis ${until}. Wenn du nicht darum gebeten hast, ignoriere diese Mail einfach.`,
  passwordMailSubject: (realm) => `Dein neues Passwort für ${realm}`,
  passwordMail: (realm) => `mit diesem Link wählst du ein neues Passwort für ${realm}:`,
  choose: "Passwort wählen",
  newSignIn: (realm) => `Neue Anmeldung bei ${realm}`,
  somebodySignedIn: (realm) => `jemand hat sich bei ${realm} mit deinem Konto angemeldet:`,
  signInFacts: (browser, address, time) => `${browser}, von ${address}, am ${time}`,
  ifThatWasYou:
    "Wenn du das warst, musst du nichts tun. Wenn nicht, ändere sofort dein Passwort: Das meldet dich in allen anderen Browsern ab und widerruft deine API-Schlüssel.",
  eachSignIn: "Diese Mail bekommst du jedes Mal, wenn sich jemand mit deinem Konto anmeldet.",
  signedOut: "Du bist abgemeldet.",
  sessionOver:
    "Deine Sitzung ist beendet. Melde dich neu an: Eine angefangene Nachricht bleibt erhalten.",
  signInFirst: "Melde dich zuerst an.",
  noMail:
    "Dieser Server verschickt keine Mails. Bitte den Betreiber des Servers um einen Anmeldelink.",
  keyOf: (label, time) => `„${label}“ vom ${time}`,
  andMore: (count) => `und ${count} weitere`,
  keysEnded: (max, count, names) =>
    `Ein Konto hat höchstens ${max} API-Schlüssel: ${count === 1 ? "Der am längsten unbenutzte ist beendet" : "Die am längsten unbenutzten sind beendet"}, ${names}.`,
};

export type SignInWords = Spoken<typeof en>;

/** Texts of the pages and mails by which people sign in. */
export const signInWords = inLanguages({ en, de });

/** Texts of a page for a person who is not signed in. */
export const wordsOfStranger = (ctx: Parameters<typeof languageOfStranger>[0]): SignInWords =>
  signInWords(languageOfStranger(ctx));

/** Texts for a person, in their own language. */
export const wordsOfUser = (user: UserRow): SignInWords => signInWords(localeOfUser(user).language);
