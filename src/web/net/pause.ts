import { now } from "../clock";

/** Waits so long. */
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export const isSeen = (): boolean => document.visibilityState === "visible";

const wakers = new Set<() => void>();

/** Calls all that wait for the network to be there again. */
export function wake(): void {
  for (const waker of [...wakers]) waker();
}

/** Calls back each time the network may be there again. Answers how to end that. */
export function onWaking(waker: () => void): () => void {
  wakers.add(waker);
  return () => void wakers.delete(waker);
}

/** A request that is younger than this is not broken off when the network may be back. */
const freshMilliseconds = 2_000;

/**
 * Aborts a request that begins now as soon as the network may be back, because its connection may
 * have broken without notice while the machine slept. Returns a function that ends that.
 */
export function cutOnWaking(cut: AbortController): () => void {
  const begun = now();
  return onWaking(() => {
    if (now() - begun > freshMilliseconds) cut.abort();
  });
}

const lookMilliseconds = 5_000;
const sleepMilliseconds = 20_000;

/**
 * Notices that the network may be there again, from now on: the system says so, the tab is seen
 * again, or time has passed in which the machine slept. `notice` is called each time.
 */
export function noticeWaking(notice: () => void): void {
  let lookedAt = now();
  addEventListener("online", notice);
  document.addEventListener("visibilitychange", () => {
    if (isSeen()) notice();
  });
  setInterval(() => {
    const passed = now() - lookedAt;
    lookedAt = now();
    if (passed > sleepMilliseconds && isSeen()) notice();
  }, lookMilliseconds);
}

/** Waits for a while, or until the network may be there again, or the signal ends it. */
export const untilWorthTrying = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      end();
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    const end = onWaking(done);
    signal?.addEventListener("abort", done, { once: true });
  });

/** Pauses grow slowly, so that a page goes on soon after a server that was started again. */
const backoffMilliseconds = { first: 500, factor: 1.4, most: 30_000 };

/** Pause before the next attempt. It differs from tab to tab, so that all do not come back at once. */
export function pauseAfter(failures: number, retryAfterSeconds = 0): number {
  const { first, factor, most } = backoffMilliseconds;
  const pause = Math.min(first * factor ** (failures - 1), most) * (0.5 + Math.random() / 2);
  return Math.max(pause, retryAfterSeconds * 1_000);
}
