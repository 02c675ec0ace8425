import type { UserRow } from "../core/context";
import { type Html, html } from "../core/html";
import { inLanguages, type Spoken } from "../core/language";
import { roleName, roles } from "../core/role";
import { localeOfUser } from "../people/settings/locale";

const en = {
  hello: (name: string) => `Hello ${name},`,
  // the account page
  signedInAs: (realm: string, email: string, role: number): Html =>
    html`You are signed in to <b>${realm}</b> as ${email} (${roleName(role)}).`,
  openChat: "Open the chat",
  connectClient: "Connect a client",
  startClient:
    "Start your client, for example the Zulip app for phone or desktop, and give it this as the address of the server (organization):",
  signInThere: "Sign in there with your e-mail address and your password.",
  needsPassword: "There you need a password, and you have none yet.",
  asksForKey: html`Some clients ask for an API key instead, for example in a file <code>zuliprc</code>. You get one here:`,
  keyNeedsLink:
    "You have no password. To get a key, first sign in with a new login link: ask an administrator for one.",
  yourPassword: "Your password",
  getKey: "Get an API key",
  passwordNow: "Your password now",
  newPassword: "The new password",
  changePassword: "Change the password",
  changeYours: "Change your password",
  changeEnds: "This signs you out of all other browsers and ends your API keys.",
  passwordChanged: "Your password is changed. Your other sessions and your API keys have ended.",
  passwordChosen:
    "From now on you sign in with this password. Your other sessions and your API keys have ended.",
  choosePassword: "Choose a password",
  whyPassword: "With it you sign in next time, without a link.",
  chooseThis: "Choose this password",
  whereSignedIn: "Where you are signed in",
  browser: "Browser",
  signedIn: "Signed in",
  lastSeen: "Last seen",
  thisOne: "(this one)",
  logOut: "Log out",
  endKeysToo: "End my API keys too: every client and program has to sign in again",
  logOutEverywhere: "Log out everywhere",
  // another address
  yourNewAddress: (realm: string) => `Your new address at ${realm}`,
  isThisYours: (realm: string) => `is this to be your address at ${realm} from now on?`,
  useAddress: "Yes, use this address",
  worksOnce: (until: string) =>
    `The link works once, until ${until}. If you did not ask for it, you need not do anything.`,
  addressChanged: (realm: string) => `Your address at ${realm} has changed`,
  addressIsNow: (realm: string, email: string) =>
    `your address at ${realm} is ${email} now, at your own wish.`,
  notYou: "If it was not you, tell an administrator of the organization at once.",
  yourAddress: "Your address",
  isToBe: (email: string, name: string): Html =>
    html`Is <b>${email}</b> to be the address of <b>${name}</b> from now on?`,
  isChanged: "Your address is changed",
  itIsNow: (email: string): Html => html`It is <b>${email}</b> now: sign in with it.`,
  yourAccount: "Your account",
  // the end of an account
  accountEnded: (realm: string) => `Your account at ${realm} has ended`,
  wasDeactivated: (realm: string) =>
    `your account at ${realm} was deactivated: you cannot sign in any more.`,
  administratorsAdd: "The administrators add:",
};

const roleNames: ReadonlyMap<number, string> = new Map([
  [roles.owner, "Besitzer"],
  [roles.administrator, "Admin"],
  [roles.moderator, "Moderator"],
  [roles.member, "Mitglied"],
  [roles.guest, "Gast"],
]);

const de: typeof en = {
  hello: (name) => `Hallo ${name},`,
  signedInAs: (realm, email, role) =>
    html`Du bist bei <b>${realm}</b> als ${email} angemeldet (${roleNames.get(role) ?? ""}).`,
  openChat: "Den Chat öffnen",
  connectClient: "Eine App verbinden",
  startClient:
    "Starte deine App, zum Beispiel die von Zulip für Handy oder Computer, und gib dort als Adresse des Servers (der Organisation) das ein:",
  signInThere: "Melde dich dort mit deiner E-Mail-Adresse und deinem Passwort an.",
  needsPassword: "Dort brauchst du ein Passwort, und du hast noch keins.",
  asksForKey: html`Manche Apps verlangen stattdessen einen API-Schlüssel, zum Beispiel in einer Datei <code>zuliprc</code>. Hier bekommst du einen:`,
  keyNeedsLink:
    "Du hast kein Passwort. Melde dich für einen Schlüssel zuerst mit einem neuen Anmeldelink an: Bitte einen Admin darum.",
  yourPassword: "Dein Passwort",
  getKey: "Einen API-Schlüssel holen",
  passwordNow: "Dein jetziges Passwort",
  newPassword: "Das neue Passwort",
  changePassword: "Passwort ändern",
  changeYours: "Dein Passwort ändern",
  changeEnds: "Das meldet dich in allen anderen Browsern ab und beendet deine API-Schlüssel.",
  passwordChanged:
    "Dein Passwort ist geändert. Deine anderen Sitzungen und deine API-Schlüssel sind beendet.",
  passwordChosen:
    "Von jetzt an meldest du dich mit diesem Passwort an. Deine anderen Sitzungen und deine API-Schlüssel sind beendet.",
  choosePassword: "Ein Passwort wählen",
  whyPassword: "Damit meldest du dich nächstes Mal ohne Link an.",
  chooseThis: "Dieses Passwort wählen",
  whereSignedIn: "Wo du angemeldet bist",
  browser: "Browser",
  signedIn: "Angemeldet",
  lastSeen: "Zuletzt da",
  thisOne: "(dieser)",
  logOut: "Abmelden",
  endKeysToo:
    "Auch meine API-Schlüssel beenden: Jede App und jedes Programm muss sich neu anmelden",
  logOutEverywhere: "Überall abmelden",
  yourNewAddress: (realm) => `Deine neue Adresse bei ${realm}`,
  isThisYours: (realm) => `soll das von jetzt an deine Adresse bei ${realm} sein?`,
  useAddress: "Ja, diese Adresse nehmen",
  worksOnce: (until) =>
    `Der Link gilt einmal, bis ${until}. Wenn du nicht darum gebeten hast, ist nichts zu tun.`,
  addressChanged: (realm) => `Deine Adresse bei ${realm} ist geändert`,
  addressIsNow: (realm, email) =>
    `deine Adresse bei ${realm} ist auf deinen Wunsch jetzt ${email}.`,
  notYou: "Wenn du das nicht warst, sag es sofort einem Admin der Organisation.",
  yourAddress: "Deine Adresse",
  isToBe: (email, name) =>
    html`Soll <b>${email}</b> von jetzt an die Adresse von <b>${name}</b> sein?`,
  isChanged: "Deine Adresse ist geändert",
  itIsNow: (email) => html`Sie ist jetzt <b>${email}</b>: Melde dich damit an.`,
  yourAccount: "Dein Konto",
  accountEnded: (realm) => `Dein Konto bei ${realm} ist beendet`,
  wasDeactivated: (realm) =>
    `dein Konto bei ${realm} wurde deaktiviert: Du kannst dich nicht mehr anmelden.`,
  administratorsAdd: "Die Admins schreiben dazu:",
};

export type AccountWords = Spoken<typeof en>;

/** Texts of the page of somebody's own account, and of mails about accounts. */
export const accountWords = inLanguages({ en, de });

/** Texts for somebody, in their own language. */
export const wordsOfUser = (user: UserRow): AccountWords =>
  accountWords(localeOfUser(user).language);
