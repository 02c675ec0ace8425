/** Seconds of silence after which a connection is closed, unless it waits for an answer. */
const idleTimeoutSeconds = 25;
/** Clients send a message's content in the query of a PATCH, where a character takes up to 12 bytes. Bun allows 16 KiB. */
const headerSizeBytesMax = 196_608;

/** What is in front of the paths of the API. */
export const apiPrefix = "/api/v1";

type BunServer = Bun.Server<undefined>;
type Answer = (request: Request, server: BunServer) => Response | Promise<Response>;

/** What answers requests: those below the prefix of the API, the one for its description, and all others. */
export interface Answers {
  api: Answer;
  description: Answer;
  others: Answer;
}

/** A port that is listened on. */
export interface Listener {
  readonly port: number;
  readonly idleTimeoutSeconds: number;
  readonly server: BunServer;
  /** From now on requests are answered so, those first that have waited for it. */
  answer(answers: Answers): void;
  /** Stops accepting; waits for the requests that are under way. */
  stop(): Promise<void>;
}

interface Place {
  host: string;
  port: number;
}

/**
 * Takes a port; what is asked there waits until there is something that answers. Fails when the port is taken. Bun collects
 * garbage when it begins to listen: that takes 10 ms of a start where it comes after the loading of everything else.
 */
export async function listen({ host, port }: Place, idleTimeout = idleTimeoutSeconds): Promise<Listener> {
  await allowLongHeaders();
  const { promise: ready, resolve } = Promise.withResolvers<Answers>();
  const options = {
    hostname: host,
    port,
    reusePort: false,
    development: false,
    idleTimeout,
    // Who reads a body bounds it, and answers in JSON; what nobody reads is not taken in.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  };
  const waiting = (name: keyof Answers) => async (request: Request, asked: BunServer) =>
    (await ready)[name](request, asked);
  const server: BunServer = Bun.serve({
    ...options,
    ...handlersOf({ api: waiting("api"), description: waiting("description"), others: waiting("others") }),
  });
  return {
    port: server.port ?? port,
    idleTimeoutSeconds: idleTimeout,
    server,
    answer(answers) {
      server.reload({ ...options, ...handlersOf(answers) });
      resolve(answers);
    },
    stop: () => server.stop(false),
  };
}

/** Bun's own routes come before everything else. */
const handlersOf = ({ api, description, others }: Answers) => ({
  routes: { [`${apiPrefix}/*`]: api, [`${apiPrefix}/openapi.json`]: { GET: description } },
  fetch: others,
});

/** `make build` gives the executable the limit as an option of Bun's: the module that sets it takes a tenth of a start. */
async function allowLongHeaders() {
  if (process.execArgv.includes(`--max-http-header-size=${headerSizeBytesMax}`)) return;
  const { default: http } = await import("node:http");
  Reflect.set(http, "maxHeaderSize", headerSizeBytesMax);
}
