import { LongWork, LoopScheduler } from "../../src/core/turns/loop-scheduler";

/** A scheduler with a clock, whose timers go off as it passes. */
export function schedulerWithClock() {
  let now = 0;
  const timers: { at: number; run: () => void }[] = [];
  const after = (milliseconds: number, run: () => void) => {
    timers.push({ at: now + milliseconds, run });
    return () => undefined;
  };
  const pass = (milliseconds: number) => {
    now += milliseconds;
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.run();
    }
  };
  return { scheduler: new LoopScheduler(() => now, after), pass };
}

/** A scheduler on whose clock lane "heavy" has just had long work under way for a second. */
export function schedulerWithHeavyLane() {
  const { scheduler, pass } = schedulerWithClock();
  const work = new LongWork();
  void scheduler.begin(work, "heavy");
  pass(1_000);
  scheduler.end(work);
  return { scheduler, pass };
}

export const turnsOfLoop = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** Begins so many requests of a lane; `begun` has those that are under way. */
export function beginMany(scheduler: LoopScheduler, lane: string, count: number) {
  const begun: LongWork[] = [];
  for (let index = 0; index < count; index++) {
    const work = new LongWork();
    void Promise.resolve(scheduler.begin(work, lane)).then(() => begun.push(work));
  }
  return begun;
}
