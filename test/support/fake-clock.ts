import type { Clock } from "../../src/core/clock";

interface Timer {
  dueMilliseconds: number;
  intervalMilliseconds: number | undefined;
  run(): void;
}

export interface FakeClock extends Clock {
  /**
   * Lets time pass; what falls due on the way runs in order. A repeated timer runs at its first and
   * last time.
   */
  advance(seconds: number): void;
  /** Sets the clock to another time, as its owner does. Timers still wait as long as they would. */
  setForward(seconds: number): void;
}

/** A clock that stands still until a test advances it. It starts on 2026-01-01. */
export function makeFakeClock(startSeconds = 1_767_225_600): FakeClock {
  let milliseconds = startSeconds * 1000;
  let setForwardBy = 0;
  const timers = new Set<Timer>();
  const add = (timer: Timer) => {
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  const nextDue = (until: number) =>
    [...timers]
      .filter((timer) => timer.dueMilliseconds <= until)
      .sort((a, b) => a.dueMilliseconds - b.dueMilliseconds)[0];
  return {
    now: () => Math.floor(milliseconds / 1000),
    nowMilliseconds: () => milliseconds,
    steadyMilliseconds: () => milliseconds - setForwardBy,
    after: (delay, run) =>
      add({ dueMilliseconds: milliseconds + delay, intervalMilliseconds: undefined, run }),
    every: (interval, run) =>
      add({ dueMilliseconds: milliseconds + interval, intervalMilliseconds: interval, run }),
    advance(seconds) {
      const until = milliseconds + seconds * 1000;
      const leaps = (interval: number) => Math.floor((until - milliseconds) / interval);
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        milliseconds = timer.dueMilliseconds;
        if (timer.intervalMilliseconds === undefined) timers.delete(timer);
        else
          timer.dueMilliseconds +=
            Math.max(1, leaps(timer.intervalMilliseconds)) * timer.intervalMilliseconds;
        timer.run();
      }
      milliseconds = until;
    },
    setForward(seconds) {
      milliseconds += seconds * 1000;
      setForwardBy += seconds * 1000;
      for (const timer of timers) timer.dueMilliseconds += seconds * 1000;
    },
  };
}
