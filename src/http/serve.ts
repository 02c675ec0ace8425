import type { App } from "../core/context";
import type { Endpoint } from "../core/endpoint";
import { ApiError, serverBusy } from "../core/errors";
import { describeError, type Log } from "../core/log";
import { whyNotListening } from "../core/network/why-not-listening";
import { storageTrouble } from "../core/storage/storage-check";
import { makeConnector, type Peers } from "./connection";
import { type Asked, type ElysiaApp, makeElysia, type NoteRequest, type Routed } from "./elysia";
import { failed, handle, type ServerParts } from "./handle";
import { askRarely } from "./health";
import { refusalOfHost } from "./host-form";
import { KnownSignatures } from "./known-signatures";
import { Listeners, type Place, type Tls } from "./listeners";
import { mountEndpoints, mountRest } from "./mount";
import { languageOfPage } from "./page-language";
import { type CountPage, mountHealth, mountPages, type Site } from "./pages";
import { makePort, type Port, type ReadyParts } from "./port";
import { beginCount, countRequest, RateLimiter } from "./rate-limit";
import { errorResponse } from "./respond";
import type { TrafficWatch } from "./traffic";
import { clearSocketPath, ownSocket } from "./unix-socket";

/** Seconds without data after which a connection is closed, unless it waits for an answer. */
const idleTimeoutSecondsUsual = 25;
/**
 * Clients send a message's content in the query of a PATCH, where a character takes up to 12 bytes.
 * Bun allows 16 KiB.
 */
const headerSizeBytesMax = 196_608;

/** The prefix of the API's paths. */
const apiPrefix = "/api/v1";

/** An open port or socket. Requests wait until `open` is called. */
export interface HttpServer {
  /** 0 for a Unix socket. */
  readonly port: number;
  /** The certificates for new connections; undefined if it uses http. */
  readonly tls: Tls | undefined;
  /** The app that all requests go through, for callers without a network. */
  readonly elysia: Pick<ElysiaApp, "handle">;
  /** Starts to answer requests; the waiting ones come first. */
  open(app: App): void;
  /** Refuses requests until `open` is called, also the waiting ones. */
  refuse(refusal: ApiError): void;
  /**
   * Serves new connections with other certificates. Existing connections end with their next
   * answer; requests in progress continue. Answers whether the certificates differ from the former
   * ones.
   */
  changeTls(tls: Tls): Promise<boolean>;
  /** Takes over the rate limits that the app's configuration has now. */
  limitsChanged(): void;
  /**
   * Makes `/readyz` answer 503, and every answer close its connection, so that clients go
   * elsewhere. Requests are still accepted.
   */
  drain(): void;
  /**
   * Stops accepting, in a quiet moment after `drain`, and waits for the requests in progress. With
   * `breaksOff` it closes their connections instead.
   */
  stop(breaksOff?: boolean): Promise<void>;
}

type Config = App["config"];
/** The part of the configuration that names the address. */
type Named = Pick<Config, "host" | "port"> &
  Partial<Pick<Config, "listen" | "listenMode" | "trustedProxies">>;

const privateMode = "600";

const placeIn = (
  { host, port, listen, listenMode = privateMode }: Named,
  { idleTimeoutSeconds = idleTimeoutSecondsUsual, retiredMilliseconds }: Listening,
): Place => ({
  host,
  port,
  idleTimeoutSeconds,
  ...(retiredMilliseconds !== undefined && { retiredMilliseconds }),
  ...(listen !== undefined && {
    socket: { path: listen.replace(/^unix:/, ""), mode: Number.parseInt(listenMode, 8) },
  }),
});

export interface Listening {
  idleTimeoutSeconds?: number;
  retiredMilliseconds?: number;
  /** Log for errors before there is an app, which has its own log. */
  log?: Pick<Log, "error">;
  /** Watches each request and its answer. */
  watch?: TrafficWatch | undefined;
  openPort?: OpenPort;
  /** Certificates for https. */
  tls?: Tls;
}

/** Listens with the routes of a site; their requests pass through the gate of the port. */
export type OpenPort = (
  site: Site,
  port: Port,
  options: Bun.Serve.HostnamePortServeOptions<undefined> | Bun.Serve.UnixServeOptions<undefined>,
) => Promise<{ elysia: HttpServer["elysia"]; server: Bun.Server<unknown> }>;

/**
 * Opens the port or the Unix socket in the configuration. If it cannot, the error says what to do.
 */
export async function listen(
  config: Named,
  site: Site,
  listening: Listening = {},
): Promise<HttpServer> {
  try {
    return await listenAt(config, site, listening);
  } catch (error) {
    const why = whyNotListening(config, error);
    throw why === undefined ? error : new Error(why, { cause: error });
  }
}

async function listenAt(config: Named, site: Site, listening: Listening): Promise<HttpServer> {
  const { openPort = composeAndListen, tls } = listening;
  await allowLongHeaders();
  const place = placeIn(config, listening);
  const { socket, idleTimeoutSeconds } = place;
  if (socket) await clearSocketPath(socket.path);
  const listeners = await Listeners.open<ReadyParts>(place, tls, async (options, gate) => {
    let peers: Peers | undefined;
    const peerOf = (request: Request) => peers?.requestIP(request)?.address ?? "";
    const opened = await openPort(site, makePort(config, gate, peerOf, listening), options);
    peers = opened.server;
    return { ...opened, gate };
  });
  const own = socket && ownSocket(socket);
  let serverParts: ServerParts | undefined;
  return {
    port: listeners.port,
    get tls() {
      return listeners.tls;
    },
    get elysia() {
      return listeners.elysia;
    },
    open(app) {
      const { buildId = () => undefined } = site;
      const [limiter, signatures] = [new RateLimiter(app.config), new KnownSignatures()];
      const opened: ServerParts = { app, limiter, signatures, buildId };
      serverParts = opened;
      const checkStorage = askRarely(() => storageTrouble(app), app.clock.nowMilliseconds);
      listeners.each(({ gate, server }) => {
        const connect = makeConnector(app, server, idleTimeoutSeconds, tls !== undefined);
        gate.open({ serverParts: opened, connect }, checkStorage);
      });
    },
    refuse: (refusal) => listeners.each(({ gate }) => gate.refuse(refusal)),
    limitsChanged() {
      if (serverParts) serverParts.limiter = new RateLimiter(serverParts.app.config);
    },
    changeTls: (changed) => listeners.changeTls(changed),
    drain: () => listeners.each(({ gate }) => gate.drain()),
    async stop(breaksOff = false) {
      await listeners.stop(breaksOff);
      own?.remove();
    },
  };
}

const composeAndListen: OpenPort = async (site, port, options) => {
  const elysia = await composeSite(site, () => port);
  const before = new Set(process.listeners("beforeExit"));
  await withoutStacks(async () => {
    elysia.listen(options);
    await elysia.modules;
  });
  // Elysia stops its server before the process ends, which would keep each server in memory.
  for (const added of process.listeners("beforeExit"))
    if (!before.has(added)) process.removeListener("beforeExit", added);
  if (elysia.server === null) throw new Error("The server does not listen.");
  return { elysia, server: elysia.server };
};

/**
 * Runs code whose errors get no stacks. Elysia makes an error for requests without a route, and its
 * stack would make the start slower, because Bun reads the executable's source maps for it.
 */
export async function withoutStacks(run: () => Promise<void>) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    await run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Serves an app at the address in its configuration. */
export async function serveHttp(
  app: App,
  site: Site,
  listening: Listening = {},
): Promise<HttpServer> {
  const server = await listen(app.config, site, listening);
  server.open(app);
  return server;
}

/**
 * Makes the Elysia app with every endpoint, page and file. `portOf` gives the port by which a
 * request came.
 */
export async function composeSite(
  site: Site,
  portOf: (request: Request) => Port,
): Promise<ElysiaApp> {
  const note: NoteRequest = (request, route) => portOf(request).note(request, route);
  const elysia = makeElysia({
    pass(ask, request) {
      const refusal = refusalOfHost(request) ?? site.refusalOf?.(request);
      const port = portOf(request);
      return port.pass(refusal ? refuseAll(port, refusal) : ask, request);
    },
    note,
    answerError(error, asked) {
      const { gate, log } = portOf(asked.request);
      return gate.present
        ? failed(gate.present.serverParts, asked, error)
        : answerEarlyError(log, asked, error);
    },
  });
  const answer = (endpoint: Endpoint, routed: Routed) => {
    const { gate } = portOf(routed.request);
    const take = ({ serverParts, connect }: ReadyParts) =>
      handle(serverParts, endpoint, routed, connect(routed.request));
    return gate.present ? take(gate.present) : gate.arrival().then(take);
  };
  mountHealth(elysia, (request) => portOf(request).gate.readiness(), note);
  mountEndpoints(elysia, site.endpoints, apiPrefix, answer, note);
  mountEndpoints(elysia, site.atRoot ?? [], "", answer, note);
  await mountPages(elysia, site, pageCounter(portOf), note, (request) =>
    languageOfPage(portOf(request).gate.present?.serverParts.app, request),
  );
  mountRest(elysia, note);
  return elysia;
}

/** Answers each request, whatever it asks for, with a refusal. */
const refuseAll =
  ({ log, note }: Port, refusal: ApiError) =>
  (request: Request) =>
    answerEarlyError(log, note(request, undefined), refusal);

/**
 * Before the app exists, every error except a refusal is answered as if the server were busy, and
 * the log has the reason.
 */
function answerEarlyError(
  log: Listening["log"],
  { requestId, route }: Asked,
  error: unknown,
): Response {
  if (error instanceof ApiError) return errorResponse(error, requestId);
  log?.error("request_failed", { requestId, path: route, ...describeError(error) });
  return errorResponse(serverBusy(), requestId);
}

/** Counts public requests that are not for endpoints under their address, whoever sends them. */
function pageCounter(portOf: (request: Request) => Port): CountPage {
  return async (asked, cost, who) => {
    const { gate } = portOf(asked.request);
    const { serverParts, connect } = gate.present ?? (await gate.arrival());
    const count = {
      ...beginCount(serverParts.limiter, connect(asked.request).connection, who),
      cost,
    };
    try {
      countRequest(count, { kind: "anonymous" }, serverParts.app.clock.now());
    } finally {
      asked.limitState = count.limitState;
    }
  };
}

/**
 * Raises the limit for headers. In the executable, `make build` sets it as an option of Bun,
 * because the module that sets it takes a tenth of a start.
 */
async function allowLongHeaders() {
  if (process.execArgv.includes(`--max-http-header-size=${headerSizeBytesMax}`)) return;
  const { default: http } = await import("node:http");
  Reflect.set(http, "maxHeaderSize", headerSizeBytesMax);
}
