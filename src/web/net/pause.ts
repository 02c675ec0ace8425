/** Waits so long. */
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export const isSeen = (): boolean => document.visibilityState === "visible";

/**
 * Calls back each time the network may be there again: the system says so, the tab is seen again, or
 * the machine wakes up. Answers how to end that.
 */
export function onWaking(wake: () => void): () => void {
  const onVisibility = () => {
    if (isSeen()) wake();
  };
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}

/** Waits for a while, or until the network may be there again, or the signal ends it. */
export const untilWorthTrying = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      end();
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    const end = onWaking(done);
    signal.addEventListener("abort", done, { once: true });
  });

/** Pauses grow slowly, so that a page goes on soon after a server that was started again. */
const backoffMilliseconds = { first: 500, factor: 1.4, most: 30_000 };

/** Pause before the next attempt. It differs from tab to tab, so that all do not come back at once. */
export function pauseAfter(failures: number, retryAfterSeconds = 0): number {
  const { first, factor, most } = backoffMilliseconds;
  const pause = Math.min(first * factor ** (failures - 1), most) * (0.5 + Math.random() / 2);
  return Math.max(pause, retryAfterSeconds * 1_000);
}
