import type { Clock } from "./clock";

/** Limits how many tasks of each key run at a time; the others wait. */
export interface Turns {
  /**
   * Waits for a turn, and answers the function that ends it; undefined after `waitMilliseconds`
   * without one. Rejects when the signal fires.
   */
  take(
    key: string,
    waitMilliseconds: number,
    signal?: AbortSignal,
  ): Promise<(() => void) | undefined>;
}

interface Line {
  underWay: number;
  waiting: Set<() => void>;
}

export function makeTurns(clock: Clock, atOnceMax: number): Turns {
  const lines = new Map<string, Line>();
  /** Ends a turn and hands it to the first waiting task. */
  const endOf = (key: string, line: Line) => () => {
    const [next] = line.waiting;
    if (next) return next();
    line.underWay -= 1;
    if (line.underWay === 0) lines.delete(key);
  };
  return {
    async take(key, waitMilliseconds, signal) {
      const line = lines.get(key) ?? { underWay: 0, waiting: new Set() };
      lines.set(key, line);
      if (line.underWay < atOnceMax) line.underWay += 1;
      else if (!(await waitIn(line, clock, waitMilliseconds, signal))) return undefined;
      return endOf(key, line);
    },
  };
}

function waitIn(
  line: Line,
  clock: Clock,
  waitMilliseconds: number,
  signal: AbortSignal | undefined,
) {
  return new Promise<boolean>((resolve, reject) => {
    const leave = () => {
      line.waiting.delete(begin);
      stopClock();
      signal?.removeEventListener("abort", giveUp);
    };
    const begin = () => {
      leave();
      resolve(true);
    };
    const giveUp = () => {
      leave();
      reject(signal?.reason);
    };
    const stopClock = clock.after(waitMilliseconds, () => {
      leave();
      resolve(false);
    });
    signal?.addEventListener("abort", giveUp);
    line.waiting.add(begin);
    if (signal?.aborted) giveUp();
  });
}
