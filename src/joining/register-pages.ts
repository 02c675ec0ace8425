import { type Html, html, htmlPage } from "../core/text/html";
import { problem } from "../sign-in/login-pages";
import type { JoiningWords } from "./words";

/** A try that was refused: the reason, and the address that was typed. */
interface Refused {
  reason: string | undefined;
  email: string | undefined;
}

/** Page with a form for the address that a link to join is mailed to, after the text `lead`. */
export const registerPage = (
  words: JoiningWords,
  realmName: string,
  lead: Html,
  refused?: Refused,
): Html =>
  htmlPage(
    words.joinRealm(realmName),
    html`<h1>${words.joinRealm(realmName)}</h1>${lead}${problem(refused?.reason)}<p>${words.linkComes}</p>
<form method="post"><p><label for="email">${words.emailAddress}</label>
<input id="email" name="email" type="email" value="${refused?.email ?? ""}" maxlength="254" autocomplete="email" required></p>
<p><button>${words.mailLink}</button></p></form><p><a href="/login">${words.signIn}</a></p>`,
    words.tag,
  );

/** Page after asking for a link, equal for everybody. */
export const sentPage = (words: JoiningWords, realmName: string): Html =>
  htmlPage(
    `${words.lookIntoMail} – ${realmName}`,
    html`<h1>${words.lookIntoMail}</h1><p>${words.linkOnItsWay}</p>`,
    words.tag,
  );

/** Page of an organization that people can join only by invitation. */
export const closedPage = (words: JoiningWords, realmName: string): Html =>
  htmlPage(
    words.joinRealm(realmName),
    html`<h1>${words.joinRealm(realmName)}</h1><p>${words.byInvitation(realmName)}</p>
<p><a href="/login">${words.signIn}</a></p>`,
    words.tag,
  );
