import http from "node:http";
import { staticPlugin } from "@elysiajs/static";
import { Elysia } from "elysia";
import { assetPath } from "../core/assets";
import type { App } from "../core/context";
import { notFound } from "../core/errors";
import type { Connection, Endpoint, Method } from "./endpoint";
import { failed, handle } from "./handle";
import { openApi } from "./openapi";
import { referencePage } from "./reference-page";
import { allowedMethods, errorResponse, jsonResponse, methodNotAllowed } from "./respond";
import { makeRouter } from "./router";

/** Seconds of silence after which a connection is closed, unless its endpoint keeps it open. */
const idleTimeoutSeconds = 25;
/** Clients send a message's content in the query of a PATCH, where a character takes up to 12 bytes. Bun allows 16 KiB. */
const headerSizeBytesMax = 196_608;
const prefix = "/api/v1";
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; form-action 'none'",
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
  Reflect.set(http, "maxHeaderSize", headerSizeBytesMax);
  const elysia = new Elysia({ systemRouter: false });
  elysia.onError(({ code, error, request }) => {
    const requestId = crypto.randomUUID();
    if (code === "NOT_FOUND") return nothingThere(request, requestId);
    return failed(app, { request, requestId }, error);
  });
  addEndpoints(elysia, app, endpoints);
  addPages(elysia, endpoints);
  const assets = assetPath("src", "http", "assets");
  await elysia.use(staticPlugin({ assets, prefix: "/static", indexHTML: false, alwaysStatic: true })).modules;
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

const pathOf = (url: string) => /^[a-z]+:\/\/[^/]*([^?#]*)/i.exec(url)?.[1] ?? "/";

function nothingThere({ url }: Request, requestId: string): Response {
  return errorResponse(notFound(`There is nothing at ${pathOf(url)}.`), requestId);
}

function addEndpoints(elysia: Elysia, app: App, endpoints: Endpoint[]) {
  const findRoute = makeRouter(endpoints);
  const dispatch = ({ request, server }: { request: Request; server: Bun.Server<unknown> | null }) => {
    const requestId = crypto.randomUUID();
    try {
      const found = findRoute(pathOf(request.url).slice(prefix.length));
      if (!found) return nothingThere(request, requestId);
      const { endpoints: atPlace, allowed } = found.place;
      const endpoint = atPlace.get(request.method === "HEAD" ? "GET" : request.method);
      if (!endpoint) return withoutEndpoint(request.method, allowed, requestId);
      return handle(
        app,
        endpoint,
        { request, requestId, pathParameters: found.parameters },
        connectionOf(request, server),
      );
    } catch (error) {
      return failed(app, { request, requestId }, error);
    }
  };
  elysia.all(`${prefix}/*`, dispatch, { parse: "none" });
}

const withoutEndpoint = (method: string, allowed: Method[], requestId: string) =>
  method === "OPTIONS" ? allowedMethods(allowed, requestId) : methodNotAllowed(allowed, requestId);

const connectionOf = (request: Request, server: Bun.Server<unknown> | null): Connection => ({
  get signal() {
    return request.signal;
  },
  keepOpen: () => server?.timeout(request, 0),
});

function addPages(elysia: Elysia, endpoints: Endpoint[]) {
  const landing = Bun.file(assetPath("src", "http", "assets", "index.html"));
  elysia.get("/", () => new Response(landing, { headers: pageHeaders }));
  elysia.get(`${prefix}/openapi.json`, () =>
    jsonResponse(JSON.stringify(openApi(endpoints)), 200, crypto.randomUUID()),
  );
  elysia.get("/api", () => new Response(referencePage(endpoints), { headers: pageHeaders }));
}
