import { steadyMilliseconds } from "../core/clock";
import type { Routed } from "./elysia";

/** An answer that is about to be sent, as a traffic watch sees it. */
export interface Answered {
  request: Request;
  /** Undefined if no route has noted the request. */
  asked: Routed | undefined;
  /** Undefined if there is no answer, because of an uncaught error. */
  response: Response | undefined;
  /** Time from the arrival of the request until the answer could be sent. */
  milliseconds: number;
}

/** Gets each request of a port and its answer, for example to count them for metrics. */
export interface TrafficWatch {
  /** Whether it needs the details of requests. */
  readonly wantsDetails?: boolean;
  arrived?(): void;
  /** Runs the answering of a request within a context, such as a trace. */
  around?(answer: () => unknown): unknown;
  /** Called when a request has found its route, before anything is done for it. */
  routed?(asked: Routed): void;
  answered(answered: Answered): void;
}

/**
 * One watch that passes everything to several; undefined if there are none, so that requests pay
 * nothing.
 */
export function joinWatches(
  watches: readonly (TrafficWatch | undefined)[],
): TrafficWatch | undefined {
  const [first, ...others] = watches.filter((watch) => watch !== undefined);
  if (first === undefined || others.length === 0) return first;
  const all = [first, ...others];
  const follower = all.find((watch) => watch.around !== undefined);
  return {
    wantsDetails: all.some(({ wantsDetails }) => wantsDetails === true),
    ...(follower && { around: (answer) => follower.around?.(answer) }),
    arrived: () => all.forEach((watch) => void watch.arrived?.()),
    routed: (asked) => all.forEach((watch) => void watch.routed?.(asked)),
    answered: (answered) => all.forEach((watch) => void watch.answered(answered)),
  };
}

type Answer = (request: Request) => unknown;

/** A request in progress, with the facts that its route has noted. */
interface Passing {
  request: Request;
  asked: Routed | undefined;
}

/** Runs code; if it throws at once, answers with the result of `onError`. */
function attempt(act: () => unknown, onError: (error: unknown) => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return onError(error);
  }
}

/** The requests of a port whose traffic is watched. */
export class WatchedTraffic {
  /** The request whose handling starts in the current call. */
  private arriving: Passing | undefined;
  /** Notes about requests whose routes were found after that call. */
  private readonly later = new WeakMap<Request, Routed>();

  constructor(private readonly watch: TrafficWatch) {}

  note(asked: Routed) {
    const { arriving } = this;
    if (arriving?.request === asked.request) arriving.asked = asked;
    else this.later.set(asked.request, asked);
    this.watch.routed?.(asked);
  }

  /** Lets a request pass through `pass`, and gives its answer to the watch. */
  follow(pass: Answer, request: Request): unknown {
    const beganAt = steadyMilliseconds();
    this.watch.arrived?.();
    const passing: Passing = { request, asked: undefined };
    const tell = (answer: unknown) => {
      const response = answer instanceof Response ? answer : undefined;
      const asked = passing.asked ?? this.later.get(request);
      const milliseconds = steadyMilliseconds() - beganAt;
      this.watch.answered({ request, asked, response, milliseconds });
      return answer;
    };
    const fail = (error: unknown): never => {
      tell(undefined);
      throw error;
    };
    const answer = () => {
      const answered = attempt(() => pass(request), fail);
      return answered instanceof Promise ? answered.then(tell, fail) : tell(answered);
    };
    this.arriving = passing;
    try {
      return this.watch.around ? this.watch.around(answer) : answer();
    } finally {
      this.arriving = undefined;
    }
  }
}
