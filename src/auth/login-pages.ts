import type { UserRow } from "../core/context";
import { type Html, html, htmlPage } from "../core/html";

/** Asks whether to use a login link: the form is what uses it. */
export const linkPage = (realmName: string, { fullName, email }: UserRow): Html =>
  htmlPage(
    `Sign in to ${realmName}`,
    html`<h1>${realmName}</h1><p>This link signs you in as <b>${fullName}</b> (${email}). It works once.</p>
<form method="post"><button>Sign in</button></form>`,
  );

/** What a login link shows that does not work, whatever the reason. */
export const refusedLinkPage = (): Html =>
  htmlPage(
    "Sign in",
    html`<h1>This link does not work</h1><p>It has been used, it has expired, or it was not copied in full. Ask your
administrator for a new one: <code>chatd admin user login-link</code>.</p>`,
  );

/** What somebody needs who has signed in, to give to a client. It is not shown again. */
export const signedInPage = (realmName: string, email: string, apiKey: string, site: string): Html =>
  htmlPage(
    `Signed in to ${realmName}`,
    html`<h1>You are signed in to ${realmName}</h1><p>Give this to your client. The key is not shown again.</p>
<h2>E-mail address</h2><pre>${email}</pre><h2>API key</h2><pre>${apiKey}</pre><h2>Address of the server</h2><pre>${site}</pre>
<h2>All of it, as a file <code>zuliprc</code></h2><pre>[api]
email=${email}
key=${apiKey}
site=${site}</pre>`,
  );
