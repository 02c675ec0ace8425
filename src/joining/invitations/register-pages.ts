import { type Html, html, htmlPage } from "../../core/html";
import { problem } from "../../sign-in/login-pages";

/** Page with a form for the address that a link to join is mailed to, after the text `lead`. */
export const registerPage = (realmName: string, lead: Html, refusal?: string): Html =>
  htmlPage(
    `Join ${realmName}`,
    html`<h1>Join ${realmName}</h1>${lead}${problem(refusal)}<p>A link to go on comes by mail.</p>
<form method="post"><p><label for="email">E-mail address</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="email" required></p>
<p><button>Mail me a link</button></p></form><p><a href="/login">Sign in</a></p>`,
  );

/** Page after asking for a link, equal for everybody. */
export const sentPage = (realmName: string): Html =>
  htmlPage(
    `Look into your mail – ${realmName}`,
    html`<h1>Look into your mail</h1><p>A link is on its way to your address. It works once, for a day.</p>`,
  );

/** Page of an organization that people can join only by invitation. */
export const closedPage = (realmName: string): Html =>
  htmlPage(
    `Join ${realmName}`,
    html`<h1>Join ${realmName}</h1><p>To join, you need an invitation: ask somebody who is in ${realmName}.</p>
<p><a href="/login">Sign in</a></p>`,
  );
