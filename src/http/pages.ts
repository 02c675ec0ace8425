import { staticPlugin } from "@elysiajs/static";
import { assetPath } from "../core/assets";
import { type Endpoint, pictureCost } from "../core/endpoint";
import { once } from "../core/once";
import { type Asked, arrived, type ElysiaApp, makePart, type RouteContext } from "./elysia";
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
  /** Id of the web client that pages are opened with; undefined while that is not known. */
  buildId?: () => string | undefined;
}

/**
 * Number of requests that one for the documentation counts for, because it is some hundred KB long.
 */
const longPageCost = 10;

/**
 * Counts a request that is open to everybody under its address; throws where there were too many.
 */
export type CountPage = (asked: Asked, cost: number, who: "unsigned" | "picture") => Promise<void>;

/**
 * Mounts all that is no endpoint: how to connect clients and bots, the documentation of the endpoints, and the
 * files that ship with chatd.
 */
export function mountPages(elysia: ElysiaApp, { endpoints }: Site, count: CountPage): void {
  const page = (path: string, cost: number, make: () => Response) => {
    const answer = async (context: RouteContext) => {
      const asked = arrived(context.request);
      context.asked = asked;
      await count(asked, cost, "unsigned");
      return make();
    };
    elysia
      .route("GET", path, answer, { parse: "none" })
      .route("HEAD", path, answer, { parse: "none" });
  };
  const connecting = Bun.file(assetPath("src", "http", "assets", "connect.html"));
  const reference = once(() => referencePage(endpoints));
  const description = once(() => JSON.stringify(openApi(endpoints)));
  page("/connect", 1, () => pageResponse(connecting));
  page("/api", longPageCost, () => pageResponse(reference()));
  page("/api/v1/openapi.json", longPageCost, () =>
    jsonResponse(description(), 200, crypto.randomUUID()),
  );
  const countFile = (asked: Asked) => count(asked, pictureCost, "picture");
  mountFolder(elysia, countFile, "/static", "src", "http", "assets");
  mountFolder(elysia, countFile, "/static/look", "src", "web", "look");
}

/**
 * Mounts the files of a folder. Each folder is a part of its own, because a part that waits for two
 * plugins is never ready.
 */
function mountFolder(
  elysia: ElysiaApp,
  count: (asked: Asked) => Promise<void>,
  prefix: string,
  ...folder: string[]
) {
  const files = makePart()
    .onBeforeHandle(async (context) => {
      const asked = arrived(context.request);
      context.asked = asked;
      await count(asked);
    })
    .use(
      staticPlugin({ assets: assetPath(...folder), prefix, indexHTML: false, alwaysStatic: true }),
    );
  elysia.use(files);
}

/**
 * Mounts the questions of load balancers. They are answered from the start, and counted under
 * nobody.
 */
export function mountHealth(
  elysia: ElysiaApp,
  readiness: (request: Request) => Promise<Response>,
): void {
  elysia.get("/healthz", healthAnswer).get("/readyz", async ({ request }) => readiness(request));
}
