import type { ApiError } from "../core/errors";
import { html, htmlPage } from "../core/html";
import { inLanguages, languageOf } from "../core/language";
import type { Asked } from "./elysia";
import { pageResponse } from "./respond";

const wordsIn = inLanguages({
  en: {
    title: "There is nothing here",
    explained: "This address leads nowhere on this server, or no organization has this host name.",
    toChat: "Open the chat",
    toClients: "Connect an app, a bot or a program",
    toApi: "Documentation of the API",
  },
  de: {
    title: "Hier ist nichts",
    explained:
      "Diese Adresse führt auf diesem Server nirgendwohin, oder keine Organisation hat diesen Hostnamen.",
    toChat: "Den Chat öffnen",
    toClients: "Eine App, einen Bot oder ein Programm verbinden",
    toApi: "Beschreibung der API",
  },
});

const isOfPrograms = (path: string) => /^\/(?:api|json)(?:\/|$)/.test(path);

/**
 * The page for a person whose browser opens an address that leads nowhere, at a host that no
 * organization has too. Undefined for programs, which get the refusal as JSON: they do not ask for
 * HTML, bring an API key, or ask below `/api` or `/json`.
 */
export function missingPage(
  { status }: Pick<ApiError, "status">,
  { request, requestId }: Pick<Asked, "request" | "requestId">,
): Response | undefined {
  const { headers, method, url } = request;
  if (status !== 404 || (method !== "GET" && method !== "HEAD")) return undefined;
  if (headers.has("authorization") || !headers.get("accept")?.includes("text/html"))
    return undefined;
  if (isOfPrograms(new URL(url).pathname)) return undefined;
  const words = wordsIn(languageOf(headers.get("accept-language") ?? ""));
  const page = htmlPage(
    words.title,
    html`<h1>${words.title}</h1><p>${words.explained}</p>
<p><a href="/">${words.toChat}</a></p><p><a href="/connect">${words.toClients}</a></p>
<p><a href="/api">${words.toApi}</a></p>`,
    words.tag,
  );
  return pageResponse(page, 404, {
    "cache-control": "no-store",
    vary: "accept, accept-language",
    "x-request-id": requestId,
  });
}
