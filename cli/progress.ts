import { systemClock } from "../src/core/clock";

const pauseMilliseconds = 100;
const eraseLine = "\r\u001b[K";

/** Shows a person at a terminal the progress of long work. */
export interface Progress {
  /** `Hashing passwords: 120 of 10000`, or without a total just `Deleting messages: 3`. */
  (what: string, done: number, total?: number): void;
}

/**
 * Does long work and shows its progress on stderr, in one line that is removed at the end. If
 * stderr is not a terminal, nothing is shown, so that logs and pipes do not contain it.
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
