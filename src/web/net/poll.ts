import type { ArrivingEvent } from "../../api-types";
import { now } from "../clock";
import { Refusal, readEvents } from "./api";
import { pauseAfter, wait } from "./backoff";
import { cutOnWaking, isSeen, leaveTimer, untilWorthTrying } from "./pause";
import { isFinal } from "./refusal";

/** An event queue, with the id of the newest event that was received from it. */
export interface Queue {
  readonly queueId: string;
  readonly lastEventId: number;
}

export interface Listener {
  /** Receives the events of one answer in order. `queue` is the state of the queue after them. */
  take(events: readonly ArrivingEvent[], queue: Queue): void;
  /** Told whether the server answers. */
  connected(isConnected: boolean): void;
}

/**
 * The least time between polls that are answered at once, and the longer time in a burst of such
 * polls, because each answer is drawn: twice the pause halves the cost of a burst.
 */
const paceMilliseconds = { usual: 100, inBurst: 200 };
/** The number of quick answers in a row that make a burst. */
const burstAnswers = 5;

const paceAfter = (quickAnswers: number): number =>
  quickAnswers < burstAnswers ? paceMilliseconds.usual : paceMilliseconds.inBurst;

/**
 * Polls are held for less than this. After this time without an answer, the server is unreachable.
 */
const heldMillisecondsMax = 90_000;

/**
 * Receives events from a queue until the server refuses for good, and returns that refusal, or
 * until the signal aborts. If each visible tab polls for itself, a poll is aborted when its tab is
 * hidden, because a browser has only six connections to a server for all of its tabs.
 */
export async function takeEvents(
  queue: Queue,
  listener: Listener,
  { signal, onlySeen = false }: { signal: AbortSignal; onlySeen?: boolean },
): Promise<Refusal | undefined> {
  let { lastEventId } = queue;
  let failures = 0;
  let quickAnswers = 0;
  while (!signal.aborted) {
    if (onlySeen) await untilSeen();
    const askedAt = now();
    const pace = wait(paceAfter(quickAnswers));
    try {
      // After a failure, the server is asked to answer at once, so that the page learns that it is
      // there.
      const isHeld = failures === 0;
      const events = await poll({ ...queue, lastEventId }, { signal, onlySeen, isHeld });
      if (events === undefined) continue;
      failures = 0;
      lastEventId = events.at(-1)?.id ?? lastEventId;
      listener.connected(true);
      listener.take(events, { ...queue, lastEventId });
      quickAnswers = now() - askedAt < paceMilliseconds.usual ? quickAnswers + 1 : 0;
      if (!isHeld) continue;
      await pace;
      await leaveTimer();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (signal.aborted) break;
      if (isFinal(error)) return error;
      failures += 1;
      listener.connected(false);
      await untilWorthTrying(pauseAfter(failures, error.retryAfterSeconds), signal);
    }
  }
  return undefined;
}

/**
 * Waits for events; undefined if the poll was aborted and must be repeated. Throws a `Refusal`,
 * also if nothing has arrived for so long that the server cannot be reached.
 */
async function poll(
  { queueId, lastEventId }: Queue,
  { signal, onlySeen, isHeld }: { signal: AbortSignal; onlySeen: boolean; isHeld: boolean },
): Promise<readonly ArrivingEvent[] | undefined> {
  const cut = new AbortController();
  const abort = () => cut.abort();
  const limit = AbortSignal.timeout(heldMillisecondsMax);
  limit.addEventListener("abort", abort);
  const endWaking = cutOnWaking(cut);
  const onVisibility = () => {
    if (onlySeen && !isSeen()) abort();
  };
  document.addEventListener("visibilitychange", onVisibility);
  signal.addEventListener("abort", abort);
  try {
    return await readEvents(queueId, lastEventId, { signal: cut.signal, isHeld });
  } catch (error) {
    if (limit.aborted) throw Refusal.of(limit.reason);
    if (cut.signal.aborted) return undefined;
    throw error;
  } finally {
    limit.removeEventListener("abort", abort);
    endWaking();
    document.removeEventListener("visibilitychange", onVisibility);
    signal.removeEventListener("abort", abort);
  }
}

const untilSeen = (): Promise<void> =>
  new Promise((resolve) => {
    const onVisibility = () => {
      if (!isSeen()) return;
      document.removeEventListener("visibilitychange", onVisibility);
      resolve();
    };
    document.addEventListener("visibilitychange", onVisibility);
    onVisibility();
  });
