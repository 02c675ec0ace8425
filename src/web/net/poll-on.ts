import type { ArrivingEvent } from "../../api-types";
import { Refusal } from "./api";
import { pauseAfter } from "./backoff";
import { untilWorthTrying } from "./pause";
import { type Queue, takeEvents } from "./poll";
import { isFinal } from "./refusal";
import { register, type Snapshot } from "./register";

/** Receives what comes from a queue. */
interface EventReceiver {
  /**
   * Receives events in order. `queue` is the state of the queue after them; before them, it was at
   * `since`.
   */
  take(events: readonly ArrivingEvent[], queue: Queue, since: number): void;
  /** Receives a new state, because events may have been missed. */
  renew(snapshot: Snapshot): void;
  /** Told whether the server answers. */
  connected(isConnected: boolean): void;
}

export const queueOf = ({ queue_id: queueId, last_event_id: lastEventId }: Snapshot): Queue => ({
  queueId,
  lastEventId,
});

/**
 * Polls until the server refuses for good, and returns that refusal, or until the signal aborts. If
 * the queue has ended, a new queue with a new state follows.
 */
export async function pollOn(
  queue: Queue,
  receiver: EventReceiver,
  options: { signal: AbortSignal; onlySeen?: boolean },
): Promise<Refusal | undefined> {
  let current = queue;
  const listener = {
    take(events: readonly ArrivingEvent[], after: Queue) {
      const since = current.lastEventId;
      current = after;
      receiver.take(events, after, since);
    },
    connected: receiver.connected,
  };
  for (;;) {
    const refusal = await takeEvents(current, listener, options);
    if (refusal?.code !== "BAD_EVENT_QUEUE_ID") return refusal;
    const renewed = await registerAnew(options.signal);
    if (renewed === undefined || renewed instanceof Refusal) return renewed;
    current = queueOf(renewed);
    receiver.renew(renewed);
    // The next poll may be held for a long time before it shows that the server is there.
    receiver.connected(true);
  }
}

/** Registers as soon as the server answers; undefined if the signal has aborted. */
export async function registerAnew(signal: AbortSignal): Promise<Snapshot | Refusal | undefined> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      return await register();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (isFinal(error)) return error;
      await untilWorthTrying(pauseAfter(failures, error.retryAfterSeconds), signal);
    }
  }
  return undefined;
}
