import { isoTime } from "../../core/clock";
import type { UserRow } from "../../core/context";
import { type Html, html, htmlPage } from "../../core/html";
import { roleName } from "../../core/role";
import { hidden, nothing, problem } from "../../sign-in/login-pages";
import type { Session } from "../../sign-in/sessions";

/** Proof by which somebody without a password gets an API key. */
export type KeyProof = "password" | "fresh sign-in" | "none";

export interface AccountView {
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
  const { realmName, user, notice } = view;
  return htmlPage(
    `${user.fullName} – ${realmName}`,
    html`<h1>${user.fullName}</h1>${problem(view.problem)}${notice === undefined ? nothing : html`<p role="status">${notice}</p>`}
<p>You are signed in to <b>${realmName}</b> as ${user.email} (${roleName(user.role)}). <a href="/">Open the chat</a></p>
${connecting(view)}${password(view)}${browsers(view)}`,
  );
}

const form = (action: string, { csrfToken }: AccountView, fields: Html): Html =>
  html`<form method="post" action="${action}">${hidden("csrf_token", csrfToken)}${fields}</form>`;

const connecting = (view: AccountView): Html => html`<h2>Connect a client</h2>
<p>Start your client, for example the Zulip app for phone or desktop, and give it this as the address of the server (organization):</p>
<pre>${view.site}</pre>
<p>${view.keyProof === "password" ? html`Sign in there with your e-mail address and your password.` : html`There one signs in with a password, and you have none yet.`} A client that asks for an API key instead, like those that read a
file <code>zuliprc</code>, gets one here:</p>
${keyForm(view)}`;

function keyForm(view: AccountView): Html {
  if (view.keyProof === "none") {
    return html`<p>You have no password, so this takes a login link that you have just used: ask an administrator for another one.</p>`;
  }
  const field =
    view.keyProof === "password"
      ? passwordField("key-password", "password", "Your password")
      : nothing;
  return form("/account/key", view, html`${field}<p><button>Get an API key</button></p>`);
}

const passwordField = (
  id: string,
  name: string,
  label: string,
  autocomplete = "current-password",
): Html =>
  html`<p><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="password" autocomplete="${autocomplete}" required></p>`;

function password(view: AccountView): Html {
  if (view.keyProof === "none") return nothing;
  if (view.keyProof === "fresh sign-in") return firstPassword(view);
  const fields = html`${passwordField("old-password", "old_password", "Your password now")}
${passwordField("new-password", "new_password", "The new password", "new-password")}
<p><button>Change the password</button></p>`;
  return html`<h2>Change your password</h2><p>This signs you out of all other browsers and ends your API keys.</p>
${form("/account/password", view, fields)}`;
}

const firstPassword = (view: AccountView): Html => html`<h2>Choose a password</h2>
<p>With it you sign in next time, without a link.</p>
${form(
  "/account/password",
  view,
  html`${passwordField("new-password", "new_password", "The new password", "new-password")}
<p><button>Choose this password</button></p>`,
)}`;

const browsers = (view: AccountView): Html => html`<h2>Where you are signed in</h2>
<table><tr><th scope="col">Browser</th><th scope="col">Signed in</th><th scope="col">Last seen</th></tr>
${list(view.sessions.map((session) => row(session, view.currentId)))}</table>
${form("/logout", view, html`<p><button class="quiet">Log out</button></p>`)}
${form(
  "/logout/everywhere",
  view,
  html`<p><label><input type="checkbox" name="end_api_keys" value="true"> End my API keys too: every client and program has to
sign in again</label></p><p><button class="quiet">Log out everywhere</button></p>`,
)}`;

const row = ({ id, browser, createdAt, lastSeenAt }: Session, currentId: number): Html =>
  html`<tr><td>${browser}${id === currentId ? " (this one)" : ""}</td><td>${time(createdAt)}</td><td>${time(lastSeenAt)}</td></tr>`;

const time = (seconds: number): Html =>
  html`<time datetime="${isoTime(seconds)}">${isoTime(seconds)
    .replace("T", " ")
    .replace(/:\d\dZ$/, " UTC")}</time>`;

const list = (items: readonly Html[]): Html =>
  items.reduce((before, item) => html`${before}${item}`, nothing);
