import type { Clock } from "../clock";

/** Limits how many tasks of each key run at a time; the others wait in the order of their calls. */
interface ConcurrencyLimit {
  /**
   * Waits until a task of the key may run, and answers the function to call at its end; undefined
   * if it could not begin within `waitMilliseconds`. Rejects when the signal fires.
   */
  acquire(
    key: string,
    waitMilliseconds: number,
    signal?: AbortSignal,
  ): Promise<(() => void) | undefined>;
}

interface Tasks {
  underWay: number;
  waiting: Set<() => void>;
}

/** At most `atOnceMax` tasks of a key run at a time. */
export function makeConcurrencyLimit(clock: Clock, atOnceMax: number): ConcurrencyLimit {
  const tasksByKey = new Map<string, Tasks>();
  /** Ends a task and lets the first waiting one begin. */
  const endOf = (key: string, tasks: Tasks) => () => {
    const [next] = tasks.waiting;
    if (next) return next();
    tasks.underWay -= 1;
    if (tasks.underWay === 0) tasksByKey.delete(key);
  };
  return {
    async acquire(key, waitMilliseconds, signal) {
      const tasks = tasksByKey.get(key) ?? { underWay: 0, waiting: new Set() };
      tasksByKey.set(key, tasks);
      if (tasks.underWay < atOnceMax) tasks.underWay += 1;
      else if (!(await waitIn(tasks, clock, waitMilliseconds, signal))) return undefined;
      return endOf(key, tasks);
    },
  };
}

function waitIn(
  tasks: Tasks,
  clock: Clock,
  waitMilliseconds: number,
  signal: AbortSignal | undefined,
) {
  return new Promise<boolean>((resolve, reject) => {
    const leave = () => {
      tasks.waiting.delete(begin);
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
    tasks.waiting.add(begin);
    if (signal?.aborted) giveUp();
  });
}
