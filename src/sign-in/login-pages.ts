import type { Context, UserRow } from "../core/context";
import { type Html, html, htmlPage } from "../core/text/html";
import { endedKeysText, type IssuedApiKey } from "./api-keys";
import type { SignInWords } from "./words";

export const nothing = html``;

/**
 * Problem to show on a page, if there is one. Screen readers read it at once, and the fields that
 * it is about refer to it.
 */
export const problem = (text: string | undefined): Html =>
  text === undefined ? nothing : html`<p class="problem" id="problem" role="alert">${text}</p>`;

interface LoginForm {
  realmName: string;
  /** Next page: a path of this server. */
  next: string | undefined;
  /** Address that was typed before. */
  email: string;
  problem: string | undefined;
  /** Whether a session has just ended that the person was using in this browser. */
  isSessionOver: boolean;
  isEncrypted: boolean;
  /** Whether links can be mailed. */
  hasMail: boolean;
  /** Whether anybody with an e-mail address may join. */
  isOpenToAll: boolean;
}

/**
 * Page that asks for e-mail address and password. The form has no `action`, because then the
 * browser keeps the fragment of the address (`#narrow/…`) when it sends the form and is redirected:
 * a link into a conversation survives signing in, without a script.
 */
export const loginPage = (words: SignInWords, form: LoginForm): Html =>
  htmlPage(
    words.signInTo(form.realmName),
    html`<h1>${words.signInTo(form.realmName)}</h1>${problem(form.problem)}${form.isSessionOver ? html`<p>${words.sessionOver}</p>` : nothing}${form.isEncrypted ? nothing : html`<p class="problem">${words.unencrypted}</p>`}
<form method="post">${nextField(form.next)}
<p><label for="email">${words.emailAddress}</label>
<input id="email" name="email" type="email" value="${form.email}" autocomplete="username" required${describedBy(form)}></p>
<p><label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${describedBy(form)}></p>
<p><button>${words.signIn}</button></p></form>
<h2>${words.noPassword}</h2>
${form.hasMail ? mailedLinks(words, form) : html`<p>${words.askAdministrator}</p>`}${form.isOpenToAll ? registration(words) : nothing}${connecting(words)}`,
    words.tag,
  );

const nextField = (next: string | undefined): Html =>
  next === undefined ? nothing : hidden("next", next);

const registration = (words: SignInWords): Html =>
  html`<h2>${words.noAccount}</h2><p><a href="/register">${words.createOne}</a></p>`;

const connecting = (words: SignInWords): Html =>
  html`<h2>${words.otherClient}</h2><p><a href="/connect">${words.howToConnect}</a></p>`;

const addressField = (
  words: SignInWords,
  id: string,
): Html => html`<p><label for="${id}">${words.emailAddress}</label>
<input id="${id}" name="email" type="email" maxlength="254" autocomplete="username" required></p>`;

const mailedLinks = (words: SignInWords, { next }: Pick<LoginForm, "next">): Html =>
  html`<form method="post">${hidden("wants", "link")}${nextField(next)}${addressField(words, "link-email")}
<p><button class="quiet">${words.mailLoginLink}</button></p></form>
<p><a href="/password/reset">${words.choosePassword}</a></p>`;

/** Page that asks for the address to which a link to choose another password is mailed. */
export const askResetPage = (words: SignInWords, realmName: string): Html =>
  htmlPage(
    `${words.anotherPassword} – ${realmName}`,
    html`<h1>${words.choosePassword}</h1>
<form method="post" action="/password/reset">${addressField(words, "email")}
<p><button>${words.mailLink}</button></p></form><p><a href="/login">${words.signIn}</a></p>`,
    words.tag,
  );

/**
 * Page for everybody who has requested a link, whether or not an account has the address. If the
 * link signs in, `next` is the page to open here afterwards, at the fragment of this page.
 */
export const mailedPage = (words: SignInWords, realmName: string, next: string | undefined): Html =>
  htmlPage(
    `${words.lookIntoMail} – ${realmName}`,
    html`<h1>${words.lookIntoMail}</h1><p>${words.linkOnItsWay}</p>${next === undefined ? html`<p><a href="/login">${words.signIn}</a></p>` : goOn(words, next)}`,
    words.tag,
  );

/** Link to the login page, which redirects people who have signed in meanwhile. */
const goOn = (words: SignInWords, next: string): Html =>
  html`<p>${words.openHere}</p><form>${hidden("next", next)}<button>${words.haveSignedIn}</button></form>`;

/** Page that asks for the new password, behind the mailed link. */
export const resetPage = (
  words: SignInWords,
  realmName: string,
  { fullName, email }: UserRow,
  refusal?: string,
): Html =>
  htmlPage(
    `${words.anotherPassword} – ${realmName}`,
    html`<h1>${words.choosePassword}</h1>${problem(refusal)}<p>${words.endsAll(fullName, email)}</p>
<form method="post"><p><label for="password">${words.newPassword}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required></p>
<p><button>${words.changePassword}</button></p></form>`,
    words.tag,
  );

/** Page for somebody who has set a new password. */
export const resetDonePage = (words: SignInWords, realmName: string): Html =>
  htmlPage(
    `${words.anotherPassword} – ${realmName}`,
    html`<h1>${words.passwordChanged}</h1><p>${words.allEnded}
<a href="/login">${words.signInWithNew}</a></p>`,
    words.tag,
  );

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

const describedBy = (form: Pick<LoginForm, "problem">): Html =>
  form.problem === undefined ? nothing : html` aria-describedby="problem" aria-invalid="true"`;

/** Page that says why something was not done, and where to continue. */
export const refusedPage = (words: SignInWords, text: string): Html =>
  htmlPage(
    words.notDone,
    html`<h1>${words.wasNotDone}</h1>${problem(text)}<p><a href="/account">${words.toAccount}</a></p>`,
    words.tag,
  );

/**
 * Page that asks whether to use a login link. Only submitting the form uses it, because mail
 * scanners open links.
 */
export const linkPage = (
  words: SignInWords,
  realmName: string,
  { fullName, email }: UserRow,
): Html =>
  htmlPage(
    words.signInTo(realmName),
    html`<h1>${realmName}</h1><p>${words.signsInAs(fullName, email)}</p>
<form method="post"><button>${words.signIn}</button></form>`,
    words.tag,
  );

/** Page for a person who has signed in; it redirects automatically. */
export const signedInPage = (words: SignInWords, realmName: string): Html =>
  htmlPage(
    words.signedInTo(realmName),
    html`<h1>${words.signedInTo(realmName)}</h1><p><a href="/">${words.openChat}</a></p>`,
    words.tag,
  );

/** Page of a link that does not work, whatever the reason; `advice` says how to get a new one. */
export const refusedLinkPage = (words: SignInWords, advice: Html): Html =>
  htmlPage(
    words.signIn,
    html`<h1>${words.linkDoesNotWork}</h1><p>${words.whyNoLink} ${advice}</p><p>${words.signedInAlready}
<a href="/">${words.openChat}</a></p>`,
    words.tag,
  );

/** Page that shows a new API key, to enter into a client. The key is not shown again. */
export const keyPage = (
  words: SignInWords,
  { realm: { name }, url: site }: Pick<Context, "realm" | "url">,
  email: string,
  { apiKey, ended }: IssuedApiKey,
): Html =>
  htmlPage(
    words.signedInTo(name),
    html`<h1>${words.signedInTo(name)}</h1>${problem(endedKeysText(ended, words))}<p>${words.giveToClient}</p>
<h2>${words.emailAddress}</h2><pre>${email}</pre><h2>${words.apiKey}</h2><pre>${apiKey}</pre><h2>${words.serverAddress}</h2><pre>${site}</pre>
<h2>${words.asFile}</h2><pre>[api]
email=${email}
key=${apiKey}
site=${site}</pre>
<p><a href="/account">${words.yourAccount}</a></p>`,
    words.tag,
  );
