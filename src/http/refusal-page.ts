import type { ApiError } from "../core/errors";
import { type Html, html, htmlPage } from "../core/html";
import { inLanguages, languageOf, type Spoken } from "../core/language";
import { refusalIn } from "../sign-in/refusal";
import type { Asked } from "./elysia";
import { pageResponse } from "./respond";

const en = {
  title: "There is nothing here",
  explained: "This address leads nowhere on this server, or no organization has this host name.",
  refused: "This did not work",
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
    toChat: "Den Chat öffnen",
    toClients: "Eine App, einen Bot oder ein Programm verbinden",
    toApi: "Beschreibung der API",
  },
});

type Words = Spoken<typeof en>;

/** The language that a browser asks for: the first one of its header. */
export const languageOfBrowser = ({ headers }: Request) =>
  languageOf(headers.get("accept-language") ?? "");

const isOfPrograms = (path: string) => /^\/(?:api|json)(?:\/|$)/.test(path);

/**
 * Whether a person's browser opens an address or sends a form. Programs do not ask for HTML, bring
 * an API key, or ask below `/api` or `/json`.
 */
function isOfPerson({ headers, method, url }: Request): boolean {
  if (!["GET", "HEAD", "POST"].includes(method) || headers.has("authorization")) return false;
  return (
    Boolean(headers.get("accept")?.includes("text/html")) && !isOfPrograms(new URL(url).pathname)
  );
}

/**
 * The page for a person whose browser was refused something before any page of an endpoint could
 * tell it: an address that leads nowhere, at a host that no organization has too; too many requests;
 * a database that is away. Undefined for programs, which get the refusal as JSON.
 */
export function refusalPage(
  refusal: ApiError,
  { request, requestId }: Pick<Asked, "request" | "requestId">,
): Response | undefined {
  const { status, data } = refusal;
  const isMissing = status === 404;
  if (status === 401 || (isMissing && request.method === "POST")) return undefined;
  if (!isOfPerson(request)) return undefined;
  const words = wordsIn(languageOfBrowser(request));
  const wait = data["retry-after"];
  return pageResponse(isMissing ? missing(words) : refused(words, refusal), status, {
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

const refused = (words: Words, refusal: ApiError): Html =>
  htmlPage(
    words.refused,
    html`<h1>${words.refused}</h1><p role="alert">${refusalIn(refusal, words.tag).message}</p>
<p><a href="/">${words.toChat}</a></p>`,
    words.tag,
  );
