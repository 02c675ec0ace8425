import { systemClock } from "../core/clock";
import { healthAnswer, type Phase, readinessAnswer, type StorageCheck } from "./health";

/** Seconds of silence after which a connection is closed, unless it waits for an answer. */
const idleTimeoutSeconds = 25;
/** Clients send a message's content in the query of a PATCH, where a character takes up to 12 bytes. Bun allows 16 KiB. */
const headerSizeBytesMax = 196_608;

/**
 * At a stop, answers wait until no request has come for the first time, and at most for the second. Clients that wait for an
 * answer ask nothing new meanwhile, so that hardly any request is on its way when the port is closed.
 */
const quietMilliseconds = 100;
const quietMillisecondsMax = 1_000;

/** What is in front of the paths of the API. */
export const apiPrefix = "/api/v1";

type BunServer = Bun.Server<undefined>;
type Answer = (request: Request, server: BunServer) => Response | Promise<Response>;

/** What answers requests: those below the prefix of the API, the one for its description, and all others. */
export interface Answers {
  api: Answer;
  description: Answer;
  others: Answer;
  /** Asked for `/readyz`. */
  checkStorage?: StorageCheck;
}

/** A port that is listened on. */
export interface Listener {
  readonly port: number;
  readonly idleTimeoutSeconds: number;
  readonly server: BunServer;
  /** From now on requests are answered so, those first that have waited for it. */
  answer(answers: Answers): void;
  /** Until there is something that answers them, requests are refused so, also those that have waited. */
  refuse(refusal: () => Response): void;
  /** From now on `/readyz` answers 503, and every answer ends its connection: clients go elsewhere. Requests are still taken. */
  drain(): void;
  /** Stops accepting; waits for the requests that are under way. After `drain` it chooses a quiet moment for it. */
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
  const doorway = new Doorway();
  const options = {
    hostname: host,
    port,
    reusePort: false,
    development: false,
    idleTimeout,
    // Who reads a body bounds it, and answers in JSON; what nobody reads is not taken in.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  };
  const waiting = (name: "api" | "description" | "others") => async (request: Request, asked: BunServer) =>
    (await ready)[name](request, asked);
  const early = { api: waiting("api"), description: waiting("description"), others: waiting("others") };
  const server: BunServer = Bun.serve({ ...options, ...handlersOf(early, doorway) });
  return {
    port: server.port ?? port,
    idleTimeoutSeconds: idleTimeout,
    server,
    refuse(refusal) {
      const refusals = { api: refusal, description: refusal, others: refusal };
      server.reload({ ...options, ...handlersOf(refusals, doorway) });
      resolve(refusals);
    },
    answer(answers) {
      doorway.open(answers.checkStorage);
      server.reload({ ...options, ...handlersOf(answers, doorway) });
      resolve(answers);
    },
    drain: () => doorway.drain(),
    stop: () => doorway.close(server),
  };
}

/** The door that all requests and answers of a port pass; it notes how far the server is. */
class Doorway {
  private phase: Phase = "starting";
  private checkStorage: StorageCheck | undefined;
  private requestCount = 0;
  /** Resolves when answers may go out, while they are held back at the end. */
  private held: Promise<void> | undefined;

  open(checkStorage: StorageCheck | undefined) {
    this.phase = "ready";
    this.checkStorage = checkStorage;
  }

  readonly readiness = () => readinessAnswer(this.phase, this.checkStorage);

  pass(answer: Answer): Answer {
    return (request, server) => {
      this.requestCount += 1;
      const answered = answer(request, server);
      if (answered instanceof Promise) return answered.then(this.leave);
      return this.leave(answered);
    };
  }

  drain() {
    this.phase = "stopping";
  }

  async close(server: BunServer): Promise<void> {
    if (this.phase !== "stopping") return server.stop(false);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = promise;
    await this.quiet();
    const stopped = server.stop(false);
    resolve();
    await stopped;
  }

  private readonly leave = (response: Response): Response | Promise<Response> => {
    if (this.phase !== "stopping") return response;
    response.headers.set("connection", "close");
    return this.held ? this.held.then(() => response) : response;
  };

  private async quiet() {
    for (let waited = 0, before = -1; waited < quietMillisecondsMax && before !== this.requestCount; ) {
      before = this.requestCount;
      await new Promise<void>((resolve) => systemClock.after(quietMilliseconds, resolve));
      waited += quietMilliseconds;
    }
  }
}

/** Bun's own routes come before everything else. */
const handlersOf = ({ api, description, others }: Omit<Answers, "checkStorage">, doorway: Doorway) => ({
  routes: {
    "/healthz": { GET: doorway.pass(healthAnswer) },
    "/readyz": { GET: doorway.pass(doorway.readiness) },
    [`${apiPrefix}/*`]: doorway.pass(api),
    [`${apiPrefix}/openapi.json`]: { GET: doorway.pass(description) },
  },
  fetch: doorway.pass(others),
});

/** `make build` gives the executable the limit as an option of Bun's: the module that sets it takes a tenth of a start. */
async function allowLongHeaders() {
  if (process.execArgv.includes(`--max-http-header-size=${headerSizeBytesMax}`)) return;
  const { default: http } = await import("node:http");
  Reflect.set(http, "maxHeaderSize", headerSizeBytesMax);
}
