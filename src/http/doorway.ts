import { systemClock } from "../core/clock";
import { hangUpOnUnread } from "./body-stream";
import type { Phase, StorageCheck } from "./health";
import { readinessAnswer } from "./health";

/**
 * At a stop, answers wait until no request has come for the first time, and at most for the second.
 * Clients that wait for an answer ask nothing new meanwhile, so that hardly any request is on its
 * way when the port is closed.
 */
const quietMilliseconds = 100;
const quietMillisecondsMax = 1_000;

/**
 * The door that all requests and answers of a port pass. `House` stands behind it: what answers
 * requests, once it is there. Requests that come earlier wait for it.
 */
export class Doorway<House> {
  private phase: Phase = "starting";
  private house: House | undefined;
  private refusal: Error | undefined;
  private readonly opened = Promise.withResolvers<void>();
  private checkStorage: StorageCheck | undefined;
  private requestCount = 0;
  /** Resolves when answers may go out, while they are held back at the end. */
  private held: Promise<void> | undefined;
  private endsConnections = false;

  /** `transportSecurity` is the header of that name (HSTS, RFC 6797) of each answer. */
  constructor(private readonly transportSecurity?: string) {}

  /** From now on requests are answered, those first that have waited. */
  open(house: House, checkStorage?: StorageCheck) {
    this.house = house;
    this.checkStorage = checkStorage;
    this.phase = "ready";
    this.opened.resolve();
  }

  /** Until there is a house, requests are refused with this error, also those that have waited. */
  refuse(refusal: Error) {
    this.refusal = refusal;
    this.opened.resolve();
  }

  /**
   * The house, where it is there already. Looked at first, because a promise costs each request its
   * time.
   */
  get present(): House | undefined {
    return this.house;
  }

  /** Waits for the house; throws the refusal where there is one instead. */
  async arrival(): Promise<House> {
    await this.opened.promise;
    if (this.house !== undefined) return this.house;
    throw this.refusal ?? new Error("The door was opened with nothing behind it.");
  }

  /** The answer of `/readyz`. */
  readonly readiness = () => readinessAnswer(this.phase, this.checkStorage);

  /** Lets a request in and its answer out. */
  pass(answer: (request: Request) => unknown, request: Request): unknown {
    this.requestCount += 1;
    const answered = answer(request);
    const leave = (one: unknown) => this.leave(request, one);
    return answered instanceof Promise ? answered.then(leave) : leave(answered);
  }

  /**
   * From now on `/readyz` answers 503, and every answer closes its connection, so that clients go
   * elsewhere. Requests are still accepted.
   */
  drain() {
    this.phase = "stopping";
    this.endsConnections = true;
  }

  /** From now on every answer ends its connection, because another listener has the port. */
  retire() {
    this.endsConnections = true;
  }

  /** Closes a port, after `drain` in a quiet moment; resolves when all answers have gone out. */
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
