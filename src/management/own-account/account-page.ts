import { isoTime } from "../../core/clock";
import type { UserRow } from "../../core/context";
import { type Locale, timeText } from "../../core/language";
import { type Html, html, htmlPage } from "../../core/text/html";
import { browserNameIn } from "../../sign-in/browser-name";
import { hidden, nothing, problem } from "../../sign-in/login-pages";
import type { Session } from "../../sign-in/sessions";
import { type AccountWords, accountWords } from "../account-words";

/** Proof by which somebody without a password gets an API key. */
export type KeyProof = "password" | "fresh sign-in" | "none";

interface AccountView {
  locale: Locale;
  realmName: string;
  site: string;
  user: UserRow;
  csrfToken: string;
  keyProof: KeyProof;
  sessions: readonly Session[];
  /** The viewer's own session. */
  currentId: number;
  problem?: string | undefined;
  notice?: string | undefined;
}

/** Account page in a browser: the account's name, how to connect clients, and how to sign out. */
export function accountPage(view: AccountView): Html {
  const { locale, realmName, user, notice } = view;
  const words = accountWords(locale.language);
  return htmlPage(
    `${user.fullName} – ${realmName}`,
    html`<h1>${user.fullName}</h1>${problem(view.problem)}${notice === undefined ? nothing : html`<p role="status">${notice}</p>`}
<p>${words.signedInAs(realmName, user.email, user.role)} <a href="/">${words.openChat}</a></p>
${connecting(words, view)}${password(words, view)}${browsers(words, view)}`,
    words.tag,
  );
}

const form = (action: string, { csrfToken }: AccountView, fields: Html): Html =>
  html`<form method="post" action="${action}">${hidden("csrf_token", csrfToken)}${fields}</form>`;

const connecting = (
  words: AccountWords,
  view: AccountView,
): Html => html`<h2>${words.connectClient}</h2>
<p>${words.startClient}</p>
<pre>${view.site}</pre>
<p>${view.keyProof === "password" ? words.signInThere : words.needsPassword} ${words.asksForKey}</p>
${keyForm(words, view)}`;

function keyForm(words: AccountWords, view: AccountView): Html {
  if (view.keyProof === "none") return html`<p>${words.keyNeedsLink}</p>`;
  const field =
    view.keyProof === "password"
      ? passwordField("key-password", "password", words.yourPassword)
      : nothing;
  return form("/account/key", view, html`${field}<p><button>${words.getKey}</button></p>`);
}

const passwordField = (
  id: string,
  name: string,
  label: string,
  autocomplete = "current-password",
): Html =>
  html`<p><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="password" autocomplete="${autocomplete}" required></p>`;

const newPasswordField = (words: AccountWords): Html =>
  passwordField("new-password", "new_password", words.newPassword, "new-password");

function password(words: AccountWords, view: AccountView): Html {
  if (view.keyProof === "none") return nothing;
  if (view.keyProof === "fresh sign-in") return firstPassword(words, view);
  const fields = html`${passwordField("old-password", "old_password", words.passwordNow)}
${newPasswordField(words)}
<p><button>${words.changePassword}</button></p>`;
  return html`<h2>${words.changeYours}</h2><p>${words.changeEnds}</p>
${form("/account/password", view, fields)}`;
}

const firstPassword = (
  words: AccountWords,
  view: AccountView,
): Html => html`<h2>${words.choosePassword}</h2>
<p>${words.whyPassword}</p>
${form(
  "/account/password",
  view,
  html`${newPasswordField(words)}
<p><button>${words.chooseThis}</button></p>`,
)}`;

const browsers = (
  words: AccountWords,
  view: AccountView,
): Html => html`<h2>${words.whereSignedIn}</h2>
<table><tr><th scope="col">${words.browser}</th><th scope="col">${words.signedIn}</th><th scope="col">${words.lastSeen}</th></tr>
${list(view.sessions.map((session) => row(words, view, session)))}</table>
${form("/logout", view, html`<p><button class="quiet">${words.logOut}</button></p>`)}
${form(
  "/logout/everywhere",
  view,
  html`<p><label><input type="checkbox" name="end_api_keys" value="true"> ${words.endKeysToo}</label></p><p><button class="quiet">${words.logOutEverywhere}</button></p>`,
)}`;

const row = (
  words: AccountWords,
  { currentId, locale }: AccountView,
  { id, browser, createdAt, lastSeenAt }: Session,
): Html =>
  html`<tr><td>${browserNameIn(browser, locale.language)}${id === currentId ? ` ${words.thisOne}` : ""}</td><td>${time(createdAt, locale)}</td><td>${time(lastSeenAt, locale)}</td></tr>`;

const time = (seconds: number, locale: Locale): Html =>
  html`<time datetime="${isoTime(seconds)}">${timeText(seconds, locale)}</time>`;

const list = (items: readonly Html[]): Html =>
  items.reduce((before, item) => html`${before}${item}`, nothing);
