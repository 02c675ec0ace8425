import type { Elysia } from "elysia";
import { countedAddress, parseNetworks } from "../core/address";
import { assetPath } from "../core/assets";
import type { App } from "../core/context";
import { notFound } from "../core/errors";
import { storageTrouble } from "../core/storage-check";
import { AnswerBudget, Answering } from "./answer-budget";
import { bodyChunks, uploadPace } from "./body-stream";
import { clientAddress, isForwardedEncrypted } from "./client-address";
import { type Connection, type Endpoint, type Part, pictureCost } from "./endpoint";
import { type Door, failed, handle } from "./handle";
import { askRarely } from "./health";
import { KnownSignatures } from "./known-signatures";
import { apiPrefix, type Listener, listen } from "./listener";
import { isMultipart, readParts } from "./multipart";
import { openApi } from "./openapi";
import { readBody } from "./parameters";
import { beginCount, countRequest, RateLimiter } from "./rate-limit";
import { referencePage } from "./reference-page";
import { allowedMethods, errorResponse, hangUpOnUnread, jsonResponse, methodNotAllowed, pageResponse } from "./respond";
import { makeRouter } from "./router";

/** Serves the same as `answerRequests`. Fails when the port is taken. */
export async function serveHttp(
  app: App,
  endpoints: Endpoint[],
  atRoot: Endpoint[] = [],
  idleTimeoutSeconds?: number,
): Promise<Listener> {
  const listener = await listen(app.config, idleTimeoutSeconds);
  answerRequests(listener, app, endpoints, atRoot);
  return listener;
}

/**
 * Serves the endpoints below `/api/v1` and those below the root, the documentation of the former and the landing page. The
 * API does not go through the framework, which takes 4 µs to hand a request on: it is loaded when something else is asked
 * for, as that takes 5 ms.
 */
export function answerRequests(listener: Listener, app: App, endpoints: Endpoint[], atRoot: Endpoint[] = []): void {
  const door: Door = { app, limiter: new RateLimiter(app.config), signatures: new KnownSignatures() };
  const connect = connector(app, listener.idleTimeoutSeconds);
  const dispatchAtRoot = dispatcher(door, connect, atRoot, "");
  const dispatchRoot = (request: Request) => dispatchAtRoot(request, listener.server);
  const count = pageCounter(door, (request) => connect(request, listener.server).connection);
  const framework = once(() => makeFramework(app, endpoints, dispatchRoot, count));
  listener.answer({
    api: dispatcher(door, connect, endpoints, apiPrefix),
    description: count(longPageCost, describer(endpoints)),
    others: async (request) => (await framework()).handle(request),
    checkStorage: askRarely(() => storageTrouble(app), app.clock.nowMilliseconds),
  });
}

/** What serves all that is not below the prefix of the API. */
async function makeFramework(
  app: App,
  endpoints: Endpoint[],
  dispatchAtRoot: (request: Request) => Promise<Response> | Response,
  count: CountPage,
): Promise<Elysia> {
  const { Elysia } = await import("elysia");
  const elysia = new Elysia({ systemRouter: false });
  elysia.onError(({ code, error, request }) => {
    const requestId = crypto.randomUUID();
    if (code === "NOT_FOUND") return nothingThere(request, requestId);
    return failed(app, { request, requestId, route: undefined }, error);
  });
  elysia.all("/*", ({ request }) => dispatchAtRoot(request), { parse: "none" });
  addPages(elysia, endpoints, count);
  return elysia;
}

/** The path of an address that begins with a scheme and a host. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const query = url.indexOf("?", start);
  const path = query < 0 ? url.slice(start) : url.slice(start, query);
  const fragment = path.indexOf("#");
  return fragment < 0 ? path : path.slice(0, fragment);
}

function nothingThere(request: Request, requestId: string): Response {
  return hangUpOnUnread(request, errorResponse(notFound(`There is nothing at ${pathOf(request.url)}.`), requestId));
}

/** Takes requests to the endpoints whose paths stand below a prefix. */
function dispatcher(door: Door, connect: Connector, endpoints: Endpoint[], below: string) {
  const { app } = door;
  const findRoute = makeRouter(endpoints);
  return (request: Request, server: Bun.Server<unknown> | null) => {
    const requestId = crypto.randomUUID();
    try {
      const found = findRoute(pathOf(request.url).slice(below.length));
      if (!found) return nothingThere(request, requestId);
      const { endpoints: atPlace, allowed } = found.place;
      const endpoint = atPlace.get(request.method) ?? (request.method === "HEAD" ? atPlace.get("GET") : undefined);
      if (!endpoint) return hangUpOnUnread(request, withoutEndpoint(request.method, allowed, requestId));
      const routed = { request, requestId, pathParameters: found.parameters, route: `${below}${endpoint.path}` };
      const { connection, limitSilence } = connect(request, server);
      const answered = handle(door, endpoint, routed, connection);
      void answered.then(limitSilence, limitSilence);
      return answered;
    } catch (error) {
      return failed(app, { request, requestId, route: undefined }, error);
    }
  };
}

const withoutEndpoint = (method: string, allowed: string[], requestId: string) =>
  method === "OPTIONS" ? allowedMethods(allowed, requestId) : methodNotAllowed(allowed, requestId);

type Connector = ReturnType<typeof connector>;

/**
 * Makes of a request what verbs may know of its connection. Bun does not go back to the limit on silence by itself when
 * it was lifted for one request of a connection: `limitSilence` does.
 */
function connector({ config, clock }: App, idleTimeout: number) {
  const budget = new AnswerBudget(config.answersInProgressBytesMax);
  const trusted = config.trustedProxies === undefined ? undefined : parseNetworks(config.trustedProxies);
  return (request: Request, server: Bun.Server<unknown> | null) => {
    let isKeptOpen = false;
    const keepOpen = () => {
      server?.timeout(request, 0);
      isKeptOpen = true;
    };
    const answering = new Answering(budget, () => connection.address());
    // Bun forgets it with the connection: what is given back then is given back to the address that it was taken from.
    const peer = once(() => server?.requestIP(request)?.address ?? "");
    const connection: Connection = {
      method: request.method,
      get signal() {
        return request.signal;
      },
      keepOpen,
      expect: (sizeBytes) => answering.expect(sizeBytes),
      answering,
      header: (name) => request.headers.get(name),
      address: () => countedAddress(clientAddress(peer(), request.headers.get("x-forwarded-for"), trusted)),
      isEncrypted: () => isForwardedEncrypted(peer, request.headers.get("x-forwarded-proto"), trusted),
      body: () => readBody(request, bodyChunks(request, clock), config.requestSizeBytesMax),
      chunks: () => bodyChunks(request, clock, uploadPace),
      parts() {
        const type = request.headers.get("content-type");
        return type !== null && isMultipart(type) ? readParts(bodyChunks(request, clock, uploadPace), type) : noParts();
      },
    };
    const limitSilence = () => {
      if (isKeptOpen) server?.timeout(request, idleTimeout);
    };
    return { connection, limitSilence };
  };
}

/** A body that is no form has no parts. It is not refused here, because the endpoint says which file it wants. */
async function* noParts(): AsyncGenerator<Part> {}

/** The files that ship with chatd. The plugin is loaded when the first of them is asked for: it takes 5 ms of each start. */
const staticFiles = once(async () => {
  const [{ Elysia }, { staticPlugin }] = await Promise.all([import("elysia"), import("@elysiajs/static")]);
  const elysia = new Elysia();
  elysia.onError(({ request }) => nothingThere(request, crypto.randomUUID()));
  const assets = assetPath("src", "http", "assets");
  await elysia.use(staticPlugin({ assets, prefix: "/static", indexHTML: false, alwaysStatic: true })).modules;
  return elysia;
});

/** How many requests one for the documentation counts for: it is some hundred KB long. */
const longPageCost = 10;

type AnswerPage = (request: Request) => Response | Promise<Response>;
type CountPage = (cost: number, answer: AnswerPage, who?: "unsigned" | "picture") => AnswerPage;

/** Counts what is open to everybody and no endpoint: under the address, whoever asks for it. */
function pageCounter({ app, limiter }: Door, connectionOf: (request: Request) => Connection): CountPage {
  return (cost, answer, who = "unsigned") =>
    (request) => {
      const count = { ...beginCount(limiter, connectionOf(request), who), cost };
      try {
        countRequest(count, { kind: "anonymous" }, app.clock.now());
        return answer(request);
      } catch (error) {
        return failed(app, { request, requestId: crypto.randomUUID(), route: undefined }, error, count.standing);
      }
    };
}

function addPages(elysia: Elysia, endpoints: Endpoint[], count: CountPage) {
  const asset = count(pictureCost, async (request) => (await staticFiles()).handle(request), "picture");
  elysia.get("/static/*", ({ request }) => asset(request));
  const landing = Bun.file(assetPath("src", "http", "assets", "index.html"));
  const landingPage = count(1, () => pageResponse(landing));
  elysia.get("/", ({ request }) => landingPage(request));
  const reference = once(() => referencePage(endpoints));
  const referenceAnswer = count(longPageCost, () => pageResponse(reference()));
  elysia.get("/api", ({ request }) => referenceAnswer(request));
}

function describer(endpoints: Endpoint[]) {
  const description = once(() => JSON.stringify(openApi(endpoints)));
  return () => jsonResponse(description(), 200, crypto.randomUUID());
}

/** Makes something when it is asked for first, and keeps it. */
function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
