import { staticPlugin } from "@elysiajs/static";
import { Elysia } from "elysia";
import { assetPath } from "../core/assets";
import type { App } from "../core/context";
import { notFound } from "../core/errors";
import type { Endpoint } from "./endpoint";
import { handle } from "./handle";
import { openApi } from "./openapi";
import { referencePage } from "./reference-page";
import { errorResponse, jsonResponse, methodNotAllowed } from "./respond";

/** Seconds of silence after which a connection is closed, unless its endpoint keeps it open. */
const idleTimeoutSeconds = 25;
const prefix = "/api/v1";
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; form-action 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

export interface HttpServer {
  /** The port that it listens on. */
  port: number;
  /** Stops accepting; waits for the requests that are under way. */
  stop(): Promise<void>;
}

/** Serves the endpoints, their documentation and the landing page. Fails when the port is taken. */
export async function serveHttp(app: App, endpoints: Endpoint[]): Promise<HttpServer> {
  const elysia = new Elysia();
  elysia.onError(({ code, request }) => {
    const requestId = crypto.randomUUID();
    if (code === "NOT_FOUND") return errorResponse(notFound(`There is nothing at ${new URL(request.url).pathname}.`), requestId);
    app.log.error("server_failed", { requestId, code });
    return errorResponse(notFound("The request could not be read."), requestId);
  });
  addEndpoints(elysia, app, endpoints);
  addPages(elysia, endpoints);
  await elysia.use(staticPlugin({ assets: assetPath("src", "http", "assets"), prefix: "/static", indexHTML: false })).modules;
  elysia.listen({
    hostname: app.config.host,
    port: app.config.port,
    reusePort: false,
    development: false,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize: (app.config.maxFileUploadSizeMib + 1) * 1024 * 1024,
  });
  const { server } = elysia;
  if (!server) throw new Error("The server did not start.");
  return { port: server.port ?? app.config.port, stop: () => server.stop(false) };
}

function addEndpoints(elysia: Elysia, app: App, endpoints: Endpoint[]) {
  const methodsByPath = Map.groupBy(endpoints, ({ path }) => path);
  for (const [path, group] of methodsByPath) {
    const route = `${prefix}${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
    const allowed = group.map(({ method }) => method);
    for (const endpoint of group) {
      elysia.route(
        endpoint.method,
        route,
        ({ request, params, server }) =>
          handle(app, endpoint, request, { ...params }, {
            get signal() {
              return request.signal;
            },
            keepOpen: () => server?.timeout(request, 0),
          }),
        { parse: "none" },
      );
    }
    for (const method of ["GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"] as const) {
      if (allowed.some((known) => known === method)) continue;
      elysia.route(method, route, () => methodNotAllowed(allowed, crypto.randomUUID()), { parse: "none" });
    }
  }
}

function addPages(elysia: Elysia, endpoints: Endpoint[]) {
  const landing = Bun.file(assetPath("src", "http", "assets", "index.html"));
  elysia.get("/", () => new Response(landing, { headers: pageHeaders }));
  elysia.get(`${prefix}/openapi.json`, () => jsonResponse(JSON.stringify(openApi(endpoints)), 200, crypto.randomUUID()));
  elysia.get("/api", () => new Response(referencePage(endpoints), { headers: pageHeaders }));
}
