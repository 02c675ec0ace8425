/*
 * The page of the web client as HTML, with the state that it begins with inside. The server makes
 * it, and so does the service worker, of what it keeps, where the server is not reached.
 */

/**
 * Content-Security-Policy of the page. Scripts, styles and pictures may only come from this server.
 * Only one function of the client may turn text into HTML (policy `chatd-messages`); its input is
 * messages as the server has rendered them. Another one (`chatd-worker`) allows only the address of
 * the service worker.
 */
export const pagePolicy = [
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

/** The parts from which the page is written. Files are given by their addresses. */
interface WholePage {
  readonly script: string;
  readonly style: string;
  /** The file with the texts in the reader's language; undefined for English. */
  readonly words: string | undefined;
  /** The id of the build to which the files belong. */
  readonly build: string;
  /** The person for whom the page is. */
  readonly userId: number;
  readonly csrfToken: string;
  readonly title: string;
  /** The theme that the reader has chosen instead of the system's. */
  readonly theme: string | undefined;
  /** Pieces of JSON, escaped for a `script` element by `jsonForScript`. */
  readonly snapshot: readonly string[];
  /** JSON of changes after the state; undefined if the state is up to date. */
  readonly later?: string;
}

/** The page, in pieces, because its state can be long. */
export function wholePage(page: WholePage): string[] {
  const { script, style, words, build, userId, csrfToken, title, theme, snapshot, later } = page;
  const wordsFirst =
    words === undefined ? "" : `<script type="module" src="${escaped(words)}"></script>`;
  const chosen = theme === undefined ? "" : ` data-theme="${escaped(theme)}"`;
  const start = `<!doctype html><html lang="en"${chosen}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,interactive-widget=resizes-content">
<meta name="csrf-token" content="${escaped(csrfToken)}"><meta name="user" content="${userId}"><meta name="build" content="${escaped(build)}">
<link rel="icon" href="data:,"><link rel="manifest" href="/manifest.webmanifest"><title>${escaped(title)}</title><link rel="stylesheet" href="${escaped(style)}">${wordsFirst}<script type="module" src="${escaped(script)}"></script></head>
<body><div id="app"></div><noscript><p>The chat needs JavaScript. <a href="/account">Your account</a> does without.</p></noscript>
`;
  const after = later === undefined ? [] : [stateStart("later"), later, "</script>"];
  const end = ["</script>", ...after, "</body></html>"];
  return [start + stateStart("snapshot"), ...snapshot, ...end];
}

const stateStart = (id: string) => `<script type="application/json" id="${id}">`;

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? "");

/** JSON, escaped so that nothing in it can end a `script` element. */
export const jsonForScript = (json: string): string => json.replaceAll("<", "\\u003c");

/**
 * The first file of the page with an ending, among the names of all files; undefined if there is
 * none.
 */
export function firstFile(names: Iterable<string>, ending: "js" | "css"): string | undefined {
  const form = new RegExp(`^main-\\w+\\.${ending}$`);
  return [...names].find((name) => form.test(name));
}
