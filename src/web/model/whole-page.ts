/*
 * The page of the web client as HTML, with the state that it begins with inside. The server makes it,
 * and so does the service worker, of what it keeps, where the server is not reached.
 */

/**
 * Scripts, styles and pictures come from this server alone, and HTML is made of text by one function
 * of the client alone (`chatd-messages`), which takes messages as the server has rendered them. The
 * address of the service worker is trusted by another one (`chatd-worker`), which makes no other.
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

/** Facts that the page begins with, beside its state. Files are named by their addresses. */
export interface WholePage {
  readonly script: string;
  readonly style: string;
  /** File with the words of the reader's language; undefined for English. */
  readonly words: string | undefined;
  /** Id of the build that the files are of. */
  readonly build: string;
  /** Person whose page it is. */
  readonly userId: number;
  readonly csrfToken: string;
  readonly title: string;
  /** Theme that the reader has chosen in place of the system's. */
  readonly theme: string | undefined;
  /** Pieces of JSON, which may stand in a `script` element (`jsonForScript`). */
  readonly snapshot: readonly string[];
  /** JSON of what has come after the state; undefined where the state is the newest. */
  readonly later?: string;
}

/** The page, in pieces, because the state in it may be long. */
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

/** JSON as it may stand in a `script` element: nothing in it ends the element. */
export const jsonForScript = (json: string): string => json.replaceAll("<", "\\u003c");

/** The file that a page begins with, of a kind, among the names of all; undefined where there is none. */
export function firstFile(names: Iterable<string>, ending: "js" | "css"): string | undefined {
  const form = new RegExp(`^main-\\w+\\.${ending}$`);
  return [...names].find((name) => form.test(name));
}
