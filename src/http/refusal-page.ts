import type { ApiError } from "../core/errors";
import { inLanguages, languageAsked, type Spoken } from "../core/language";
import { type Html, html, htmlPage } from "../core/text/html";
import { refusalIn } from "../sign-in/refusal";
import type { Asked } from "./elysia";
import { pageResponse } from "./respond";

const en = {
  title: "There is nothing here",
  explained: "This address leads nowhere on this server, or no organization has this host name.",
  refused: "This did not work",
  signedOut: "This browser is signed out. Sign in again.",
  notTaken:
    "This address does not take what was sent to it. Open the page that you want, and try again from there.",
  toLogin: "Sign in",
  toChat: "Open the chat",
  toClients: "Connect an app, a bot or a program",
  toApi: "Documentation of the API",
};

const wordsIn = inLanguages({
  en,
  de: {
    title: "Hier ist nichts",
    explained:
      "Diese Adresse führt auf diesem Server nirgendwohin, oder keine Organisation hat diesen Hostnamen.",
    refused: "Das hat nicht geklappt",
    signedOut: "Dieser Browser ist abgemeldet. Melde dich neu an.",
    notTaken:
      "Diese Adresse nimmt nicht an, was an sie geschickt wurde. Öffne die Seite, die du willst, und versuch es dort noch einmal.",
    toLogin: "Anmelden",
    toChat: "Den Chat öffnen",
    toClients: "Eine App, einen Bot oder ein Programm verbinden",
    toApi: "Beschreibung der API",
  },
});

type Words = Spoken<typeof en>;

/** The browser's preferred language; English if the server has none of its languages. */
const languageOfBrowser = ({ headers }: Request) =>
  languageAsked(headers.get("accept-language")) ?? "en";

const isOfPrograms = (path: string) => /^\/(?:api|json)(?:\/|$)/.test(path);

/**
 * Whether a person's browser opens an address or sends a form. Programs do not ask for HTML, send
 * an API key, or use addresses below `/api` or `/json`.
 */
function isOfPerson({ headers, method, url }: Request): boolean {
  if (!["GET", "HEAD", "POST"].includes(method) || headers.has("authorization")) return false;
  return (
    Boolean(headers.get("accept")?.includes("text/html")) && !isOfPrograms(new URL(url).pathname)
  );
}

/**
 * The page for a person whose browser was refused before a page of an endpoint could explain it: an
 * unknown address, also at an unknown host; a wrong method; an expired session; too many requests;
 * a database that is away. It has no `WWW-Authenticate`, because browsers would then ask for name
 * and password in a window of their own. Undefined for programs, which get the refusal as JSON.
 */
export function refusalPage(
  refusal: ApiError,
  { request, requestId }: Pick<Asked, "request" | "requestId">,
): Response | undefined {
  const { status, data } = refusal;
  if (!isOfPerson(request)) return undefined;
  const words = wordsIn(languageOfBrowser(request));
  const wait = data["retry-after"];
  return pageResponse(status === 404 ? missing(words) : refused(words, refusal), status, {
    "cache-control": "no-store",
    vary: "accept, accept-language",
    "x-request-id": requestId,
    ...(typeof wait === "number" ? { "retry-after": String(wait) } : {}),
  });
}

const missing = (words: Words): Html =>
  htmlPage(
    words.title,
    html`<h1>${words.title}</h1><p>${words.explained}</p>
<p><a href="/">${words.toChat}</a></p><p><a href="/connect">${words.toClients}</a></p>
<p><a href="/api">${words.toApi}</a></p>`,
    words.tag,
  );

function refused(words: Words, refusal: ApiError): Html {
  const way =
    refusal.status === 401
      ? html`<a href="/login">${words.toLogin}</a>`
      : html`<a href="/">${words.toChat}</a>`;
  return htmlPage(
    words.refused,
    html`<h1>${words.refused}</h1><p role="alert">${explained(words, refusal)}</p>
<p>${way}</p>`,
    words.tag,
  );
}

/** The text of a refusal for people, because the text for programs speaks of keys and methods. */
function explained(words: Words, refusal: ApiError): string {
  if (refusal.code === "UNAUTHORIZED") return words.signedOut;
  if (refusal.status === 405) return words.notTaken;
  return refusalIn(refusal, words.tag).message;
}
