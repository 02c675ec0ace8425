import { Page } from "../core/answer";
import { encodingForOwnPage, encodingHeader, variesForOwnPage } from "../core/content-encoding";
import type { Context, Person } from "../core/context";
import type { Connection } from "../core/endpoint";
import { html } from "../core/html";
import { type Input, record } from "../core/params";
import { chunksOf } from "../core/text-chunks";
import { parseUserSettings } from "../people/settings/user-settings";
import { ownSession } from "../sign-in/browser";
import { maskToken } from "../sign-in/csrf-token";
import { currentBundle } from "./files";
import { type Bundle, buildIdOf, publicPath } from "./forms";
import { snapshotFor } from "./snapshot";

/**
 * Scripts, styles and pictures come from this server alone, and HTML is made of text by one function
 * of the client alone (`chatd-messages`), which takes messages as the server has rendered them. The
 * address of the service worker is trusted by another one (`chatd-worker`), which makes no other.
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
  "trusted-types chatd-messages chatd-worker",
].join("; ");

const headers = [["content-security-policy", contentSecurityPolicy]] as const;

export const OpenWebPage = record({});

/**
 * The web client, with the state that it begins with inside; it opens an event queue. Refuses
 * callers that sign with an API key (BAD_REQUEST). Browsers without a session are led to the login
 * page and back, and keep the fragment on the way.
 */
export async function openWebPage(
  ctx: Context<Person>,
  _input: Input<typeof OpenWebPage>,
  connection: Pick<Connection, "method" | "header" | "address" | "expect">,
): Promise<Page> {
  const session = await ownSession(ctx, connection);
  // The answer to HEAD has no body: nobody would read the queue.
  if (connection.method === "HEAD") return new Page(html``, 200, headers);
  const [bundle, snapshot] = await Promise.all([currentBundle(), snapshotFor(ctx, connection)]);
  const { color_scheme, default_language } = parseUserSettings(session.user.settings);
  const pieces = webPage({
    bundle,
    snapshot,
    csrfToken: maskToken(session.csrfToken),
    title: ctx.realm.name,
    theme: themes[color_scheme],
    language: default_language,
  });
  return compressed(pieces, connection.header);
}

/** Themes that people choose in place of their system's, by the value of `color_scheme`. */
const themes: Readonly<Record<number, string>> = { 2: "dark", 3: "light" };

interface WebPage {
  bundle: Bundle;
  /** Pieces of JSON, which may stand in a `script` element. */
  snapshot: readonly string[];
  /** Masked, because it stands in a compressed page beside what others wrote. */
  csrfToken: string;
  title: string;
  theme: string | undefined;
  language: string;
}

/** The page, in pieces, because the state in it may be long. */
function webPage({ bundle, snapshot, csrfToken, title, theme, language }: WebPage): string[] {
  const [script, style] = [addressOf(bundle, "js"), addressOf(bundle, "css")];
  const words = wordsOf(bundle, language);
  const wordsFirst =
    words === undefined ? html`` : html`<script type="module" src="${words}"></script>`;
  const chosen = theme === undefined ? html`` : html` data-theme="${theme}"`;
  const start = html`<!doctype html><html lang="en"${chosen}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,interactive-widget=resizes-content">
<meta name="csrf-token" content="${csrfToken}"><meta name="build" content="${buildIdOf(bundle.keys())}">
<link rel="icon" href="data:,"><link rel="manifest" href="/manifest.webmanifest"><title>${title}</title><link rel="stylesheet" href="${style}">${wordsFirst}<script type="module" src="${script}"></script></head>
<body><div id="app"></div><noscript><p>The chat needs JavaScript. <a href="/account">Your account</a> does without.</p></noscript>
<script type="application/json" id="snapshot">`;
  return [start.text, ...snapshot, "</script></body></html>"];
}

/** The address of the file that a page begins with, of a kind. */
function addressOf(bundle: Bundle, ending: "js" | "css"): string {
  const form = new RegExp(`^main-\\w+\\.${ending}$`);
  const name = [...bundle.keys()].find((one) => form.test(one));
  if (name === undefined) throw new Error(`The web client has no main.${ending}.`);
  return publicPath + name;
}

/** The address of the file with the words of a language; undefined where there is none. */
export function wordsOf(bundle: Bundle, language: string): string | undefined {
  const form = /^words-(.+)-\w+\.js$/;
  const name = [...bundle.keys()].find((one) => form.exec(one)?.[1] === language);
  return name === undefined ? undefined : publicPath + name;
}

/** From this many UTF-16 units on, a page is compressed beside the event loop. */
const longUnits = 1_048_576;

async function compressed(pieces: readonly string[], header: Connection["header"]): Promise<Page> {
  const { compress, compressPieces } = await import("../core/compress");
  const encoding = encodingForOwnPage(header);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const bytes =
    encoding === "identity" || length < longUnits
      ? compress(Buffer.from(pieces.join("")), encoding, "fast")
      : await compressPieces(chunksOf(pieces), encoding);
  const more = Object.entries({ vary: variesForOwnPage, ...encodingHeader(encoding) });
  return new Page(new Blob([bytes]), 200, [...headers, ...more], length);
}
