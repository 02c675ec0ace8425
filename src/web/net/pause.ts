import { now } from "../clock";

/**
 * Resolves in a task that is not a timer's. Browsers wake a hidden tab only once a minute for a
 * timer that was set in the task of another one, which was set so too, five deep.
 */
export const leaveTimer = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

export const isSeen = (): boolean => document.visibilityState === "visible";

const wakers = new Set<() => void>();

/** Wakes everything that waits for the network. */
export function wake(): void {
  for (const waker of [...wakers]) waker();
}

/** Calls a function each time when the network may be back. Returns a function that ends that. */
function onWaking(waker: () => void): () => void {
  wakers.add(waker);
  return () => void wakers.delete(waker);
}

/** A younger request is not broken off when the network may be back. */
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
 * Notices from now on when the network may be back: the system says so, the tab becomes visible, or
 * more time has passed than was waited, because the machine slept. Calls `notice` each time.
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

/** Waits for some time, or until the network may be back, or the signal aborts. */
export const untilWorthTrying = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      end();
      resolve(leaveTimer());
    };
    const timer = setTimeout(done, milliseconds);
    const end = onWaking(done);
    signal?.addEventListener("abort", done, { once: true });
  });
