import type { App } from "../core/context";
import type { Endpoint } from "../core/endpoint";
import { ApiError, serverBusy } from "../core/errors";
import { describeError, type Log } from "../core/log";
import { storageTrouble } from "../core/storage-check";
import { makeConnector, type Peers } from "./connection";
import { type Asked, type ElysiaApp, makeElysia, type NoteRequest, type Routed } from "./elysia";
import { type Door, failed, handle } from "./handle";
import { askRarely } from "./health";
import { KnownSignatures } from "./known-signatures";
import { mountEndpoints, mountRest } from "./mount";
import { type CountPage, mountHealth, mountPages, type Site } from "./pages";
import { makePort, type Port } from "./port";
import { beginCount, countRequest, RateLimiter } from "./rate-limit";
import { errorResponse } from "./respond";
import type { TrafficWatch } from "./traffic";
import { clearSocketPath, ownSocket, type SocketPlace } from "./unix-socket";
import { whyNotListening } from "./why-not-listening";

/** Seconds of silence after which a connection is closed, unless it waits for an answer. */
const idleTimeoutSecondsUsual = 25;
/**
 * Clients send a message's content in the query of a PATCH, where a character takes up to 12 bytes.
 * Bun allows 16 KiB.
 */
const headerSizeBytesMax = 196_608;

/** The path before those of the API. */
const apiPrefix = "/api/v1";

/** A port or a socket that is listened on. Requests to it wait until the server is opened. */
export interface HttpServer {
  /** 0 for a Unix socket. */
  readonly port: number;
  /** The app that all requests go through, for callers without a network. */
  readonly elysia: Pick<ElysiaApp, "handle">;
  /** From now on requests are answered, those first that have waited for it. */
  open(app: App): void;
  /** Until it is opened, requests are refused, also those that have waited. */
  refuse(refusal: ApiError): void;
  /**
   * From now on `/readyz` answers 503, and every answer ends its connection: clients go elsewhere.
   * Requests are still taken.
   */
  drain(): void;
  /**
   * Stops accepting, after `drain` in a quiet moment, and waits for the requests that are under
   * way. With `breaksOff` it closes their connections instead.
   */
  stop(breaksOff?: boolean): Promise<void>;
}

/** Where to listen: at a port of an address, or at a Unix socket in their place. */
interface Place {
  host: string;
  port: number;
  socket?: SocketPlace;
}

type Config = App["config"];
/** The part of the configuration that names the place. */
type Named = Pick<Config, "host" | "port"> &
  Partial<Pick<Config, "listen" | "listenMode" | "trustedProxies">>;

const privateMode = "600";

const placeIn = ({ host, port, listen, listenMode = privateMode }: Named): Place => ({
  host,
  port,
  ...(listen !== undefined && {
    socket: { path: listen.replace(/^unix:/, ""), mode: Number.parseInt(listenMode, 8) },
  }),
});

export interface Listening {
  idleTimeoutSeconds?: number;
  /** Told of errors before there is an app, which has a log of its own. */
  log?: Pick<Log, "error">;
  /** Told of each request and its answer. */
  watch?: TrafficWatch | undefined;
  openPort?: OpenPort;
}

/** Listens with the routes of a site; their requests pass the doorway of the port. */
export type OpenPort = (
  site: Site,
  port: Port,
  options: Bun.Serve.HostnamePortServeOptions<undefined> | Bun.Serve.UnixServeOptions<undefined>,
) => Promise<{ elysia: HttpServer["elysia"]; server: Bun.Server<unknown> }>;

/**
 * Takes the port or the Unix socket that a configuration names. Where it cannot, the error says what
 * to do.
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

async function listenAt(
  config: Named,
  site: Site,
  { idleTimeoutSeconds = idleTimeoutSecondsUsual, openPort = composeAndListen, ...rest }: Listening,
): Promise<HttpServer> {
  const { host, port, socket } = placeIn(config);
  await allowLongHeaders();
  let peers: Peers | undefined;
  const peerOf = (request: Request) => peers?.requestIP(request)?.address ?? "";
  const opened = makePort(config, peerOf, rest);
  const { doorway } = opened;
  if (socket) await clearSocketPath(socket.path);
  const usual = {
    development: false,
    // Code that reads a body bounds it, and answers in JSON. A body that nobody reads is not
    // taken in.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  };
  const { elysia, server } = await openPort(
    site,
    opened,
    socket
      ? { ...usual, unix: socket.path }
      : { ...usual, hostname: host, port, reusePort: false, idleTimeout: idleTimeoutSeconds },
  );
  peers = server;
  const own = socket && ownSocket(socket);
  return {
    port: socket ? 0 : (server.port ?? port),
    elysia,
    open(app) {
      const { buildId = () => undefined } = site;
      const [limiter, signatures] = [new RateLimiter(app.config), new KnownSignatures()];
      const door: Door = { app, limiter, signatures, buildId };
      const checkStorage = askRarely(() => storageTrouble(app), app.clock.nowMilliseconds);
      doorway.open({ door, connect: makeConnector(app, server, idleTimeoutSeconds) }, checkStorage);
    },
    refuse: (refusal) => doorway.refuse(refusal),
    drain: () => doorway.drain(),
    async stop(breaksOff = false) {
      await (breaksOff ? server.stop(true) : doorway.close(server));
      own?.remove();
    },
  };
}

const composeAndListen: OpenPort = async (site, port, options) => {
  const elysia = composeSite(site, () => port);
  // `listen` loads what plugins bring only after it has answered.
  await elysia.modules;
  await withoutStacks(async () => {
    elysia.listen(options);
    await elysia.modules;
  });
  if (elysia.server === null) throw new Error("The server does not listen.");
  return { elysia, server: elysia.server };
};

/**
 * Runs work in which errors have no stacks. Elysia makes one for requests that no route takes,
 * whose stack would cost a start the time in which Bun reads the executable's source maps.
 */
async function withoutStacks(run: () => Promise<void>) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    await run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Serves an app at the place that its configuration names. */
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
 * Makes the app of Elysia that holds every endpoint, page and file. `portOf` says which port a
 * request came in by.
 */
export function composeSite(site: Site, portOf: (request: Request) => Port): ElysiaApp {
  const note: NoteRequest = (request, route) => portOf(request).note(request, route);
  const elysia = makeElysia({
    pass: (ask, request) => portOf(request).pass(ask, request),
    note,
    answerError(error, asked) {
      const { doorway, log } = portOf(asked.request);
      return doorway.present
        ? failed(doorway.present.door, asked, error)
        : answerEarlyError(log, asked, error);
    },
  });
  const answer = async (endpoint: Endpoint, routed: Routed) => {
    const { doorway } = portOf(routed.request);
    const { door, connect } = doorway.present ?? (await doorway.arrival());
    const { connection, limitSilence } = connect(routed.request);
    return handle(door, endpoint, routed, connection).finally(limitSilence);
  };
  mountHealth(elysia, (request) => portOf(request).doorway.readiness(), note);
  mountEndpoints(elysia, site.endpoints, apiPrefix, answer, note);
  mountEndpoints(elysia, site.atRoot ?? [], "", answer, note);
  mountPages(elysia, site, pageCounter(portOf), note);
  mountRest(elysia, note);
  return elysia;
}

/**
 * Before there is an app, whatever is not a refusal is told like one of a server that is busy, and
 * the log knows why.
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

/** Counts what is open to everybody and no endpoint: under the address, whoever asks for it. */
function pageCounter(portOf: (request: Request) => Port): CountPage {
  return async (asked, cost, who) => {
    const { doorway } = portOf(asked.request);
    const { door, connect } = doorway.present ?? (await doorway.arrival());
    const count = { ...beginCount(door.limiter, connect(asked.request).connection, who), cost };
    try {
      countRequest(count, { kind: "anonymous" }, door.app.clock.now());
    } finally {
      asked.standing = count.standing;
    }
  };
}

/**
 * `make build` gives the executable the limit as an option of Bun's: the module that sets it takes
 * a tenth of a start.
 */
async function allowLongHeaders() {
  if (process.execArgv.includes(`--max-http-header-size=${headerSizeBytesMax}`)) return;
  const { default: http } = await import("node:http");
  Reflect.set(http, "maxHeaderSize", headerSizeBytesMax);
}
