import type { UserRow } from "../core/context";
import { inLanguages, type Spoken } from "../core/language";
import { germanRoles, roleName } from "../core/rights/role";
import { type Html, html } from "../core/text/html";
import { localeOfUser } from "../people/settings/locale";

const en = {
  hello: (name: string) => `Hello ${name},`,
  // the account page
  signedInAs: (realm: string, email: string, role: number): Html =>
    html`You are signed in to <b>${realm}</b> as ${email} (${roleName(role)}).`,
  openChat: "Open the chat",
  connectClient: "Connect a client",
  startClient:
    "Start a client that is made for Zulip, and enter this address as the server (organization):",
  signInThere: "Sign in there with your e-mail address and your password.",
  needsPassword: "You need a password for that, and you have none yet.",
  asksForKey: html`Some clients ask for an API key instead, for example in a <code>zuliprc</code> file. Get one here:`,
  keyNeedsLink:
    "You have no password. To get a key, first sign in with a new login link: ask the operator of the server for one.",
  yourPassword: "Your password",
  getKey: "Get an API key",
  passwordNow: "Current password",
  newPassword: "New password",
  changePassword: "Change the password",
  changeYours: "Change your password",
  changeEnds: "This signs you out of all other browsers and revokes your API keys.",
  passwordChanged:
    "Your password has been changed. Your other browsers are signed out, and your API keys no longer work.",
  passwordChosen:
    "From now on you sign in with this password. Your other browsers are signed out, and your API keys no longer work.",
  choosePassword: "Choose a password",
  whyPassword: "With a password you need no link to sign in next time.",
  chooseThis: "Choose this password",
  whereSignedIn: "Where you are signed in",
  browser: "Browser",
  signedIn: "Signed in",
  lastSeen: "Last seen",
  thisOne: "(this one)",
  logOut: "Sign out of this browser",
  endKeysToo: "Revoke my API keys too: every client and program has to sign in again",
  logOutEverywhere: "Sign out everywhere",
  // another address
  yourNewAddress: (realm: string) => `Your new address at ${realm}`,
  isThisYours: (realm: string) => `do you want to use this address at ${realm} from now on?`,
  useAddress: "Yes, use this address",
  worksOnce: (until: string) =>
    `The link works once, until ${until}. If you did not ask for it, you can ignore this mail.`,
  addressChanged: (realm: string) => `Your address at ${realm} has changed`,
  addressIsNow: (realm: string, email: string) =>
    `your address at ${realm} was changed to ${email}, as you asked.`,
  notYou: "If it was not you, tell an administrator of the organization at once.",
  yourAddress: "Your address",
  isToBe: (email: string, name: string): Html =>
    html`Use <b>${email}</b> as the address of <b>${name}</b> from now on?`,
  isChanged: "Your address has been changed",
  itIsNow: (email: string): Html => html`It is now <b>${email}</b>. Use it to sign in.`,
  yourAccount: "Your account",
  // the end of an account
  accountEnded: (realm: string) => `Your account at ${realm} was deactivated`,
  wasDeactivated: (realm: string) =>
    `your account at ${realm} was deactivated, so you can no longer sign in.`,
  administratorsAdd: "The administrators write:",
};

const de: typeof en = {
  hello: (name) => `Hallo ${name},`,
  signedInAs: (realm, email, role) =>
    html`Du bist bei <b>${realm}</b> als ${email} angemeldet (${germanRoles.get(role) ?? ""}).`,
  openChat: "Den Chat öffnen",
  connectClient: "Eine App verbinden",
  startClient:
    "Starte eine App, die für Zulip gemacht ist, und gib dort diese Adresse des Servers (der Organisation) ein:",
  signInThere: "Melde dich dort mit deiner E-Mail-Adresse und deinem Passwort an.",
  needsPassword: "Dafür brauchst du ein Passwort, und du hast noch keins.",
  asksForKey: html`Manche Apps verlangen stattdessen einen API-Schlüssel, zum Beispiel in einer Datei <code>zuliprc</code>. Hier bekommst du einen:`,
  keyNeedsLink:
    "Du hast kein Passwort. Um einen Schlüssel zu bekommen, melde dich zuerst mit einem neuen Anmeldelink an: Bitte den Betreiber des Servers darum.",
  yourPassword: "Dein Passwort",
  getKey: "Einen API-Schlüssel holen",
  passwordNow: "Aktuelles Passwort",
  newPassword: "Neues Passwort",
  changePassword: "Passwort ändern",
  changeYours: "Dein Passwort ändern",
  changeEnds: "Das meldet dich in allen anderen Browsern ab und widerruft deine API-Schlüssel.",
  passwordChanged:
    "Dein Passwort wurde geändert. Deine anderen Browser sind abgemeldet, und deine API-Schlüssel sind ungültig.",
  passwordChosen:
    "Von jetzt an meldest du dich mit diesem Passwort an. Deine anderen Browser sind abgemeldet, und deine API-Schlüssel sind ungültig.",
  choosePassword: "Ein Passwort wählen",
  whyPassword: "Damit meldest du dich nächstes Mal ohne Link an.",
  chooseThis: "Dieses Passwort wählen",
  whereSignedIn: "Wo du angemeldet bist",
  browser: "Browser",
  signedIn: "Angemeldet",
  lastSeen: "Zuletzt aktiv",
  thisOne: "(dieser)",
  logOut: "In diesem Browser abmelden",
  endKeysToo:
    "Auch meine API-Schlüssel widerrufen: Jede App und jedes Programm muss sich neu anmelden",
  logOutEverywhere: "Überall abmelden",
  yourNewAddress: (realm) => `Deine neue Adresse bei ${realm}`,
  isThisYours: (realm) => `willst du diese Adresse von jetzt an bei ${realm} verwenden?`,
  useAddress: "Ja, diese Adresse verwenden",
  worksOnce: (until) =>
    `Der Link gilt einmal, bis ${until}. Wenn du nicht darum gebeten hast, ignoriere diese Mail einfach.`,
  addressChanged: (realm) => `Deine Adresse bei ${realm} wurde geändert`,
  addressIsNow: (realm, email) =>
    `deine Adresse bei ${realm} wurde auf deinen Wunsch geändert und ist jetzt ${email}.`,
  notYou: "Wenn du das nicht warst, sag es sofort einem Administrator der Organisation.",
  yourAddress: "Deine Adresse",
  isToBe: (email, name) =>
    html`<b>${email}</b> von jetzt an als Adresse von <b>${name}</b> verwenden?`,
  isChanged: "Deine Adresse wurde geändert",
  itIsNow: (email) => html`Sie ist jetzt <b>${email}</b>. Melde dich damit an.`,
  yourAccount: "Dein Konto",
  accountEnded: (realm) => `Dein Konto bei ${realm} wurde deaktiviert`,
  wasDeactivated: (realm) =>
    `dein Konto bei ${realm} wurde deaktiviert, und du kannst dich nicht mehr anmelden.`,
  administratorsAdd: "Die Administratoren schreiben dazu:",
};

export type AccountWords = Spoken<typeof en>;

/** Texts of the page of somebody's own account, and of mails about accounts. */
export const accountWords = inLanguages({ en, de });

/** Texts for somebody, in their own language. */
export const wordsOfUser = (user: UserRow): AccountWords =>
  accountWords(localeOfUser(user).language);
