import type { ArrivingEvent } from "../../api-types";
import { Refusal, readEvents } from "./api";

/** An event queue, with the newest event that was taken from it. */
export interface Queue {
  readonly queueId: string;
  readonly lastEventId: number;
}

interface Listener {
  /** Takes the events of one answer, in their order. */
  take(events: readonly ArrivingEvent[]): void;
  /** Told whether the server answers. */
  connected(isConnected: boolean): void;
}

/** Polls that answer at once wait so long for each other, which halves the cost of bursts. */
const paceMilliseconds = 100;
const backoffMilliseconds = { first: 500, most: 30_000 };

/**
 * Takes events from a queue until the server refuses to go on with it; answers that refusal. Only a
 * tab that is seen asks, because a browser has six connections to a server for all of its tabs.
 */
export async function takeEvents(queue: Queue, listener: Listener): Promise<Refusal> {
  let { lastEventId } = queue;
  let failures = 0;
  for (;;) {
    await untilVisible();
    try {
      const [events] = await Promise.all([
        whileVisible((signal) => readEvents(queue.queueId, lastEventId, signal)),
        wait(paceMilliseconds),
      ]);
      failures = 0;
      listener.connected(true);
      listener.take(events);
      lastEventId = events.at(-1)?.id ?? lastEventId;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (isFinal(error)) return error;
      if (document.visibilityState === "hidden") continue;
      failures += 1;
      listener.connected(false);
      await untilWorthTrying(pauseAfter(failures, error));
    }
  }
}

/** Whether asking again would be refused again: the queue or the session has ended. */
const isFinal = ({ status }: Refusal): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Pauses differ from tab to tab, so that all do not come back at one moment. */
function pauseAfter(failures: number, { retryAfterSeconds }: Refusal): number {
  const { first, most } = backoffMilliseconds;
  const pause = Math.min(first * 2 ** (failures - 1), most) * (0.5 + Math.random() / 2);
  return Math.max(pause, (retryAfterSeconds ?? 0) * 1_000);
}

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits for a while, or until the network is back or the tab is seen again. */
const untilWorthTrying = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
  });

const untilVisible = (): Promise<void> =>
  new Promise((resolve) => {
    const onVisibility = () => {
      if (document.visibilityState === "hidden") return;
      document.removeEventListener("visibilitychange", onVisibility);
      resolve();
    };
    document.addEventListener("visibilitychange", onVisibility);
    onVisibility();
  });

/** Runs a request that is broken off when the tab is hidden. */
async function whileVisible<Answer>(
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const cut = new AbortController();
  const onVisibility = () => {
    if (document.visibilityState === "hidden") cut.abort();
  };
  document.addEventListener("visibilitychange", onVisibility);
  try {
    return await run(cut.signal);
  } finally {
    document.removeEventListener("visibilitychange", onVisibility);
  }
}
