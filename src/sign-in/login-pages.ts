import type { Context, UserRow } from "../core/context";
import { type Html, html, htmlPage } from "../core/html";
import { endedKeysText, type IssuedApiKey } from "./api-keys";

export const nothing = html``;

/**
 * Problem to show on a page, where there is one: read out by screen readers at once, and named by
 * the fields it is about.
 */
export const problem = (text: string | undefined): Html =>
  text === undefined ? nothing : html`<p class="problem" id="problem" role="alert">${text}</p>`;

export interface LoginForm {
  realmName: string;
  /** Page that follows: a path of ours. */
  next: string | undefined;
  /** Address that was typed before. */
  email: string;
  problem: string | undefined;
  isEncrypted: boolean;
  /** Whether links can be mailed. */
  hasMail: boolean;
  /** Whether anybody may join who has an address. */
  isOpenToAll: boolean;
}

/**
 * Asks for e-mail address and password. The form has no `action`, because a browser then keeps the
 * fragment of the address (`#narrow/…`) while it sends the form and is led on: a link into a
 * conversation survives signing in, without a script.
 */
export const loginPage = (form: LoginForm): Html =>
  htmlPage(
    `Sign in to ${form.realmName}`,
    html`<h1>Sign in to ${form.realmName}</h1>${problem(form.problem)}${form.isEncrypted ? nothing : unencrypted}
<form method="post">${nextField(form.next)}
<p><label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${form.email}" autocomplete="username" required${describedBy(form)}></p>
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${describedBy(form)}></p>
<p><button>Sign in</button></p></form>
<h2>No password, or forgotten?</h2>
${form.hasMail ? mailedLinks(form) : askAdministrator}${form.isOpenToAll ? registration : nothing}${connecting}`,
  );

const nextField = (next: string | undefined): Html =>
  next === undefined ? nothing : hidden("next", next);

const askAdministrator = html`<p>Ask an administrator of your organization for a login link: it signs you in once, without a password.</p>`;

const registration = html`<h2>No account yet?</h2><p><a href="/register">Create one</a></p>`;

const connecting = html`<h2>An app, a bot or a program?</h2><p><a href="/connect">How to connect it</a></p>`;

const addressField = (id: string): Html => html`<p><label for="${id}">E-mail address</label>
<input id="${id}" name="email" type="email" maxlength="254" autocomplete="username" required></p>`;

const mailedLinks = ({ next }: Pick<LoginForm, "next">): Html =>
  html`<form method="post">${hidden("wants", "link")}${nextField(next)}${addressField("link-email")}
<p><button class="quiet">Mail me a link that signs me in</button></p></form>
<p><a href="/password/reset">Choose another password</a></p>`;

/** Asks for the address that a link to choose another password is mailed to. */
export const askResetPage = (realmName: string, refusal?: string): Html =>
  htmlPage(
    `Another password – ${realmName}`,
    html`<h1>Choose another password</h1>${problem(refusal)}
<form method="post" action="/password/reset">${addressField("email")}
<p><button>Mail me a link</button></p></form><p><a href="/login">Sign in</a></p>`,
  );

/**
 * Page for everybody who has asked for a link, whether or not somebody has the address. Where the
 * link signs in, `next` is the page to go on to here afterwards, at the fragment of this one.
 */
export const mailedPage = (realmName: string, next: string | undefined): Html =>
  htmlPage(
    `Look into your mail – ${realmName}`,
    html`<h1>Look into your mail</h1><p>If somebody has an account with that address, a link is on its way there. It works
once, for an hour.</p>${next === undefined ? html`<p><a href="/login">Sign in</a></p>` : goOn(next)}`,
  );

/** Leads to the login page again, and from there on who has signed in meanwhile. */
const goOn = (next: string): Html =>
  html`<p>Open it in this browser, then go on here:</p><form>${hidden("next", next)}<button>I have signed in</button></form>`;

/** Asks who has come by such a link for the new password. */
export const resetPage = (
  realmName: string,
  { fullName, email }: UserRow,
  refusal?: string,
): Html =>
  htmlPage(
    `Another password – ${realmName}`,
    html`<h1>Choose another password</h1>${problem(refusal)}<p>For <b>${fullName}</b> (${email}). It ends all of your sessions
and API keys: everything that you use has to sign in again.</p>
<form method="post"><p><label for="password">The new password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required></p>
<p><button>Change the password</button></p></form>`,
  );

/** Page for somebody who has set a new password. */
export const resetDonePage = (realmName: string): Html =>
  htmlPage(
    `Another password – ${realmName}`,
    html`<h1>Your password is changed</h1><p>All of your sessions and API keys have ended.
<a href="/login">Sign in with the new one</a></p>`,
  );

const unencrypted = html`<p class="problem">The connection to this server is not encrypted: others on the way can read
your password.</p>`;

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

const describedBy = (form: Pick<LoginForm, "problem">): Html =>
  form.problem === undefined ? nothing : html` aria-describedby="problem" aria-invalid="true"`;

/** Says why something was not done, and where to go on. */
export const refusedPage = (text: string): Html =>
  htmlPage(
    "Not done",
    html`<h1>This was not done</h1>${problem(text)}<p><a href="/account">Go on to your account</a></p>`,
  );

/** Asks whether to use a login link: the form is what uses it. */
export const linkPage = (realmName: string, { fullName, email }: UserRow): Html =>
  htmlPage(
    `Sign in to ${realmName}`,
    html`<h1>${realmName}</h1><p>This link signs you in as <b>${fullName}</b> (${email}). It works once.</p>
<form method="post"><button>Sign in</button></form>`,
  );

/** Page for somebody who has signed in, which leads on by itself. */
export const signedInPage = (realmName: string): Html =>
  htmlPage(
    `Signed in to ${realmName}`,
    html`<h1>You are signed in to ${realmName}</h1><p><a href="/">Open the chat</a></p>`,
  );

/** Page of a login link that does not work, whatever the reason. */
export const refusedLinkPage = (): Html =>
  htmlPage(
    "Sign in",
    html`<h1>This link does not work</h1><p>It has been used, it has expired, or it was not copied in full. Ask your
administrator for a new one: <code>chatd admin user login-link</code>.</p><p>Are you signed in already?
<a href="/">Open the chat</a></p>`,
  );

/** Page that shows a new API key, to give to a client. It is not shown again. */
export const keyPage = (
  { realm: { name }, url: site }: Pick<Context, "realm" | "url">,
  email: string,
  { apiKey, ended }: IssuedApiKey,
): Html =>
  htmlPage(
    `Signed in to ${name}`,
    html`<h1>You are signed in to ${name}</h1>${problem(endedKeysText(ended))}<p>Give this to your client. The key is not shown again.</p>
<h2>E-mail address</h2><pre>${email}</pre><h2>API key</h2><pre>${apiKey}</pre><h2>Address of the server</h2><pre>${site}</pre>
<h2>All of it, as a file <code>zuliprc</code></h2><pre>[api]
email=${email}
key=${apiKey}
site=${site}</pre>
<p><a href="/account">Your account</a></p>`,
  );
