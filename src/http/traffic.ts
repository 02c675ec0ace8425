import { steadyMilliseconds } from "../core/clock";
import type { Routed } from "./elysia";

/** An answer on its way out, as a watch of the traffic sees it. */
export interface Answered {
  request: Request;
  /** Undefined where no route has noted the request. */
  asked: Routed | undefined;
  /** Undefined where there is no answer, because of an error that nothing has caught. */
  response: Response | undefined;
  /** Time from the arrival of the request until the answer could be sent. */
  milliseconds: number;
}

/** Somebody who is told of each request of a port and of its answer, such as the metrics. */
export interface TrafficWatch {
  /** Whether it needs the details of requests. */
  readonly wantsDetails?: boolean;
  arrived?(): void;
  /** Lets a request be answered, within something that goes along with all that is done for it. */
  around?(answer: () => unknown): unknown;
  /** A request has found its route, before anything is done for it. */
  routed?(asked: Routed): void;
  answered(answered: Answered): void;
}

/** One watch in place of several; undefined where there is none, so that no request pays for it. */
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

/** A request on its way through a port, with what its route has noted of it. */
interface Passing {
  request: Request;
  asked: Routed | undefined;
}

/** Does something, or answers for the error that it throws at once. */
function attempt(act: () => unknown, onError: (error: unknown) => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return onError(error);
  }
}

/** The requests of a port whose traffic is watched. */
export class WatchedTraffic {
  /** The request whose way begins in this very call. */
  private arriving: Passing | undefined;
  /** Notes of requests whose routes were found later than that. */
  private readonly later = new WeakMap<Request, Routed>();

  constructor(private readonly watch: TrafficWatch) {}

  note(asked: Routed) {
    const { arriving } = this;
    if (arriving?.request === asked.request) arriving.asked = asked;
    else this.later.set(asked.request, asked);
    this.watch.routed?.(asked);
  }

  /** Lets a request pass by `pass`, and tells the watch of its answer. */
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
