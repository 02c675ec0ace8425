import type { ArrivingEvent } from "../../api-types";
import { Refusal } from "./api";
import { pauseAfter, untilWorthTrying } from "./pause";
import { type Queue, takeEvents } from "./poll";
import { isFinal } from "./refusal";
import { register, type Snapshot } from "./register";

/** Hands what comes from a queue on. */
export interface EventReceiver {
  /** Takes events, in their order. The queue is as it is after them; before, it was at `since`. */
  take(events: readonly ArrivingEvent[], queue: Queue, since: number): void;
  /** Takes another state in place of the one before, because the events in between are not known. */
  renew(snapshot: Snapshot): void;
  /** Told whether the server answers. */
  connected(isConnected: boolean): void;
}

export const queueOf = ({ queue_id: queueId, last_event_id: lastEventId }: Snapshot): Queue => ({
  queueId,
  lastEventId,
});

/**
 * Polls until the server refuses to go on, which is answered, or the signal ends it. Where the queue
 * has ended, a new one follows with its state.
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
    // The next poll may be held for long before it tells that the server is there.
    receiver.connected(true);
  }
}

/** Registers as soon as the server answers; undefined where the signal has ended it. */
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
