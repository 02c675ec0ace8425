import { Page } from "../core/answer";
import { encodingFor, encodingHeader } from "../core/content-encoding";
import type { Context } from "../core/context";
import type { Connection } from "../core/endpoint";
import { Html, html } from "../core/html";
import { type Input, record } from "../core/params";
import { parseUserSettings } from "../people/settings/user-settings";
import { asPerson, goTo, sessionOf } from "../sign-in/browser";
import { maskToken } from "../sign-in/csrf-token";
import { currentBundle } from "./files";
import { type Bundle, buildIdOf, publicPath } from "./forms";
import { jsonForScript, snapshotFor } from "./snapshot";

/**
 * Scripts, styles and pictures come from this server alone, and HTML is made of text by one function
 * of the client alone (`chatd-messages`), which takes messages as the server has rendered them.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types chatd-messages",
].join("; ");

const headers = [["content-security-policy", contentSecurityPolicy]] as const;

/** The login page, which leads back here; a browser keeps the fragment on the way. */
const login = "/login?next=%2F";

export const OpenWebPage = record({});

/**
 * The web client, with the state that it begins with inside, for who is signed in; it opens an event
 * queue. Others are led to the login page, and come back from there.
 */
export async function openWebPage(
  ctx: Context,
  _input: Input<typeof OpenWebPage>,
  connection: Pick<Connection, "method" | "header" | "address" | "expect">,
): Promise<Page> {
  const session = await sessionOf(ctx, connection);
  if (!session) return goTo(html`<a href="${login}">Sign in</a>`, login);
  // The answer to HEAD has no body: nobody would read the queue.
  if (connection.method === "HEAD") return new Page(html``, 200, headers);
  const [bundle, snapshot] = await Promise.all([
    currentBundle(),
    snapshotFor(asPerson(ctx, session), connection),
  ]);
  const { color_scheme } = parseUserSettings(session.user.settings);
  const page = webPage({
    bundle,
    snapshot,
    csrfToken: maskToken(session.csrfToken),
    title: ctx.realm.name,
    theme: themes[color_scheme],
  });
  return compressed(page, connection.header("accept-encoding"));
}

/** Themes that people choose in place of their system's, by the value of `color_scheme`. */
const themes: Readonly<Record<number, string>> = { 2: "dark", 3: "light" };

interface WebPage {
  bundle: Bundle;
  /** JSON. */
  snapshot: string;
  /** Masked, because it stands in a compressed page beside what others wrote. */
  csrfToken: string;
  title: string;
  theme: string | undefined;
}

function webPage({ bundle, snapshot, csrfToken, title, theme }: WebPage): Html {
  const [script, style] = [addressOf(bundle, "js"), addressOf(bundle, "css")];
  const chosen = theme === undefined ? html`` : html` data-theme="${theme}"`;
  return html`<!doctype html><html lang="en"${chosen}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,interactive-widget=resizes-content">
<meta name="csrf-token" content="${csrfToken}"><meta name="build" content="${buildIdOf(bundle.keys())}">
<title>${title}</title><link rel="stylesheet" href="${style}"><script type="module" src="${script}"></script></head>
<body><div id="app"></div><noscript><p>The chat needs JavaScript. <a href="/account">Your account</a> does without.</p></noscript>
<script type="application/json" id="snapshot">${new Html(jsonForScript(snapshot))}</script></body></html>`;
}

/** The address of the file that a page begins with, of a kind. */
function addressOf(bundle: Bundle, ending: "js" | "css"): string {
  const form = new RegExp(`^main-\\w+\\.${ending}$`);
  const name = [...bundle.keys()].find((one) => form.test(one));
  if (name === undefined) throw new Error(`The web client has no main.${ending}.`);
  return publicPath + name;
}

/** A page in the smallest form that the browser accepts, because the state in it is long. */
async function compressed(page: Html, accepted: string | null): Promise<Page> {
  const { compress } = await import("../core/compress");
  const encoding = encodingFor(accepted);
  const bytes = compress(new TextEncoder().encode(page.text), encoding, "fast");
  const more = Object.entries({ vary: "Accept-Encoding", ...encodingHeader(encoding) });
  return new Page(new Blob([bytes]), 200, [...headers, ...more]);
}
