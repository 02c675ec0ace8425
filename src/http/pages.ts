import { staticPlugin } from "@elysiajs/static";
import { assetPath } from "../core/assets";
import { type Endpoint, pictureCost } from "../core/endpoint";
import type { ApiError } from "../core/errors";
import type { Language } from "../core/language";
import { once } from "../core/once";
import {
  type Asked,
  type ElysiaApp,
  makePart,
  type NoteRequest,
  type RouteContext,
} from "./elysia";
import { healthAnswer } from "./health";
import { openApi } from "./openapi";
import { referencePage } from "./reference-page";
import { jsonResponse, pageResponse } from "./respond";

/**
 * All endpoints of a server: below `/api/v1` for clients, and below the root for people's browsers.
 */
export interface Site {
  endpoints: Endpoint[];
  atRoot?: Endpoint[];
  /** Id of the web client for new pages; undefined while it is not known. */
  buildId?: () => string | undefined;
  /** The refusal of a request that may reach nothing here, whatever it asks for. */
  refusalOf?: (request: Request) => ApiError | undefined;
}

/** Number of requests that the documentation counts as, because it has some hundred KB. */
const longPageCost = 10;

/** Counts a public request under its address; throws if there were too many. */
export type CountPage = (asked: Asked, cost: number, who: "unsigned" | "picture") => Promise<void>;

/** Addresses that browsers and users of the protocol expect, with the addresses here. */
const otherAddresses = {
  "/favicon.ico": "/static/realm-logo.svg",
  "/accounts/login/": "/login/",
  "/accounts/password/reset/": "/password/reset",
  "/integrations": "/connect",
  "/integrations/": "/connect",
};

const seeOther = (location: string, requestId: string) =>
  new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "x-request-id": requestId },
  });

/** Search engines are asked to stay away, because a chat is private. */
const robots = (requestId: string) =>
  new Response("User-agent: *\nDisallow: /\n", {
    headers: { "content-type": "text/plain; charset=utf-8", "x-request-id": requestId },
  });

/**
 * Mounts all pages that are not endpoints: how to connect clients and bots, the documentation of
 * the endpoints, and the files that ship with chatd.
 */
export async function mountPages(
  elysia: ElysiaApp,
  { endpoints }: Site,
  count: CountPage,
  note: NoteRequest,
  languageOf: (request: Request) => Promise<Language>,
): Promise<void> {
  const page = (
    path: string,
    cost: number,
    make: (asked: Asked) => Response | Promise<Response>,
  ) => {
    const answer = async (context: RouteContext) => {
      context.asked = note(context.request, path);
      const { asked } = context;
      await count(asked, cost, "unsigned");
      return make(asked);
    };
    elysia
      .route("GET", path, answer, { parse: "none" })
      .route("HEAD", path, answer, { parse: "none" });
  };
  const connectingIn = (name: string) => Bun.file(assetPath("src", "http", "assets", name));
  const connecting: Record<Language, Blob> = {
    en: connectingIn("connect.html"),
    de: connectingIn("connect.de.html"),
  };
  const reference = once(() => referencePage(endpoints));
  const description = once(() => JSON.stringify(openApi(endpoints)));
  page("/connect", 1, async ({ request }) =>
    pageResponse(connecting[await languageOf(request)], 200, { vary: "accept-language" }),
  );
  page("/api", longPageCost, () => pageResponse(reference()));
  page("/api/v1/openapi.json", longPageCost, ({ requestId }) =>
    jsonResponse(description(), 200, requestId),
  );
  page("/robots.txt", pictureCost, ({ requestId }) => robots(requestId));
  for (const [from, to] of Object.entries(otherAddresses))
    page(from, pictureCost, ({ requestId }) => seeOther(to, requestId));
  const arriveAt = (route: string) => async (context: RouteContext) => {
    context.asked = note(context.request, route);
    const { asked } = context;
    await count(asked, pictureCost, "picture");
  };
  await mountFolder(elysia, arriveAt, "/static", "src", "http", "assets");
  await mountFolder(elysia, arriveAt, "/static/look", "src", "web", "look");
}

/**
 * Mounts the files of a folder. The plugin is awaited here, because Elysia compiles a part three
 * times if it awaits the part itself.
 */
async function mountFolder(
  elysia: ElysiaApp,
  arriveAt: (route: string) => (context: RouteContext) => Promise<void>,
  prefix: string,
  ...folder: string[]
) {
  const assets = assetPath(...folder);
  const headers = { "x-content-type-options": "nosniff" };
  const plugin = await staticPlugin({
    assets,
    prefix,
    headers,
    indexHTML: false,
    alwaysStatic: true,
  });
  const files = makePart()
    .onBeforeHandle(arriveAt(`${prefix}/*`))
    .onBeforeHandle(withHiddenSource(withoutQuotes))
    .onAfterHandle(({ response }) => withQuotes(response))
    .use(plugin);
  elysia.use(files);
}

/**
 * The hook in a form whose source Elysia cannot read. If it saw that a hook of one part uses
 * headers, it would parse the headers of every request to the server.
 */
const withHiddenSource = <Given>(hook: (context: Given) => void): ((context: Given) => void) =>
  hook.bind(undefined);

/**
 * The browser's entity tag in the plugin's form: without quotes. Elysia parses the headers for the
 * plugin's routes, because these read them.
 */
function withoutQuotes({ headers: asked }: { headers?: Record<string, string | undefined> }): void {
  const tag = asked?.["if-none-match"];
  if (asked && tag !== undefined) asked["if-none-match"] = tag.replace(/^(?:W\/)?"(.*)"$/, "$1");
}

/** The entity tag of a file in quotes, as RFC 9110 requires; the plugin omits them. */
function withQuotes(answer: unknown): void {
  if (!(answer instanceof Response)) return;
  const tag = answer.headers.get("etag");
  if (tag !== null && !tag.startsWith('"')) answer.headers.set("etag", `"${tag}"`);
}

/**
 * Mounts the health checks of load balancers. They are answered from the start, and count towards
 * no rate limit.
 */
export function mountHealth(
  elysia: ElysiaApp,
  readiness: (request: Request) => Promise<Response>,
  note: NoteRequest,
): void {
  elysia
    .get("/healthz", ({ request }) => {
      note(request, "/healthz");
      return healthAnswer();
    })
    .get("/readyz", async ({ request }) => {
      note(request, "/readyz");
      return readiness(request);
    });
}
