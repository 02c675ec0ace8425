import { systemClock } from "../src/core/clock";

const pauseMilliseconds = 100;
const eraseLine = "\r\u001b[K";

/** Tells somebody at a terminal how far long work has come. */
export interface Progress {
  /** `Hashing passwords: 120 of 10000`, or without a total just `Deleting messages: 3`. */
  (what: string, done: number, total?: number): void;
}

/**
 * Does long work and shows on stderr how far it has come, in one line that is gone at the end.
 * Where stderr is no terminal nothing is shown: neither logs nor pipes get to see it.
 */
export async function withProgress<Result>(
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const { stderr } = process;
  if (!stderr.isTTY) return work(() => undefined);
  let shownAt = 0;
  const progress: Progress = (what, done, total) => {
    const now = systemClock.nowMilliseconds();
    if (now < shownAt + pauseMilliseconds) return;
    shownAt = now;
    stderr.write(`${eraseLine}${what}: ${done}${total === undefined ? "" : ` of ${total}`}`);
  };
  try {
    return await work(progress);
  } finally {
    stderr.write(eraseLine);
  }
}
