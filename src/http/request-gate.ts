import { systemClock } from "../core/clock";
import { hangUpOnUnread } from "./body-stream";
import type { Phase, StorageCheck } from "./health";
import { readinessAnswer } from "./health";

/**
 * When a server stops, answers wait until no request has come for the first time, and at most for
 * the second. Clients that wait for an answer send nothing new, so hardly any request is on its way
 * when the port is closed.
 */
const quietMilliseconds = 100;
const quietMillisecondsMax = 1_000;

/**
 * Whether the client asks that its connection is closed after the answer (RFC 9112, 9.6). Bun then
 * closes it, but does not say so, and clients would send their next request there.
 */
const asksForEnd = ({ headers }: Request) =>
  /(?:^|,)\s*close\s*(?:,|$)/i.test(headers.get("connection") ?? "");

/**
 * All requests and answers of a port pass through its gate. Requests wait at the gate until the
 * data is open. `Parts` is the type of the parts that answer requests from then on.
 */
export class RequestGate<Parts> {
  private phase: Phase = "starting";
  private parts: Parts | undefined;
  private refusal: Error | undefined;
  private readonly opened = Promise.withResolvers<void>();
  private checkStorage: StorageCheck | undefined;
  private requestCount = 0;
  /** Resolves when answers may be sent, while they are held back during the stop. */
  private held: Promise<void> | undefined;
  private endsConnections = false;

  /**
   * `transportSecurity` is the header `Strict-Transport-Security` (HSTS, RFC 6797) of each answer.
   */
  constructor(private readonly transportSecurity?: string) {}

  /** Starts to answer requests; the waiting ones come first. */
  open(parts: Parts, checkStorage?: StorageCheck) {
    this.parts = parts;
    this.checkStorage = checkStorage;
    this.phase = "ready";
    this.opened.resolve();
  }

  /** Refuses requests with this error until `open` is called, also the waiting ones. */
  refuse(refusal: Error) {
    this.refusal = refusal;
    this.opened.resolve();
  }

  /**
   * The parts that answer requests, if they are ready. Checked first, because a promise costs each
   * request its time.
   */
  get present(): Parts | undefined {
    return this.parts;
  }

  /** Waits for the parts that answer requests; throws the refusal instead if there is one. */
  async arrival(): Promise<Parts> {
    await this.opened.promise;
    if (this.parts !== undefined) return this.parts;
    throw this.refusal ?? new Error("The gate was opened without the parts that answer requests.");
  }

  /** The answer of `/readyz`. */
  readonly readiness = () => readinessAnswer(this.phase, this.checkStorage);

  /** Runs the answer to a request, and passes the answer on to the client. */
  pass(answer: (request: Request) => unknown, request: Request): unknown {
    this.requestCount += 1;
    const answered = answer(request);
    const leave = (one: unknown) => this.leave(request, one);
    return answered instanceof Promise ? answered.then(leave) : leave(answered);
  }

  /**
   * Makes `/readyz` answer 503, and every answer close its connection, so that clients go
   * elsewhere. Requests are still accepted.
   */
  drain() {
    this.phase = "stopping";
    this.endsConnections = true;
  }

  /** Makes every answer close its connection, because another listener has the port now. */
  retire() {
    this.endsConnections = true;
  }

  /** Closes a port, in a quiet moment after `drain`; resolves when all answers were sent. */
  async close(server: Pick<Bun.Server<unknown>, "stop">): Promise<void> {
    if (this.phase !== "stopping") return server.stop(false);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.held = promise;
    await this.quiet();
    const stopped = server.stop(false);
    resolve();
    await stopped;
  }

  private leave(request: Request, answered: unknown): unknown {
    const { transportSecurity, endsConnections } = this;
    if (!(answered instanceof Response)) return answered;
    if (asksForEnd(request)) answered.headers.set("connection", "close");
    hangUpOnUnread(request, answered);
    if (transportSecurity !== undefined)
      answered.headers.set("strict-transport-security", transportSecurity);
    if (!endsConnections) return answered;
    answered.headers.set("connection", "close");
    return this.held ? this.held.then(() => answered) : answered;
  }

  private async quiet() {
    for (
      let waited = 0, before = -1;
      waited < quietMillisecondsMax && before !== this.requestCount;
    ) {
      before = this.requestCount;
      await new Promise<void>((resolve) => systemClock.after(quietMilliseconds, resolve));
      waited += quietMilliseconds;
    }
  }
}
