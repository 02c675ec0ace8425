import { expect, test } from "bun:test";
import { LongWork, type LoopScheduler } from "../../src/core/turns/loop-scheduler";
import {
  beginMany,
  schedulerWithClock,
  schedulerWithHeavyLane,
  turnsOfLoop,
} from "../support/clocked-scheduler";

/** Starts work of a heavy lane in pieces of 4 ms; answers the number of those that are done. */
function workInPieces(scheduler: LoopScheduler, pass: (milliseconds: number) => void) {
  const done = { pieces: 0 };
  const goOn = async () => {
    const work = new LongWork();
    await scheduler.begin(work, "heavy");
    while (done.pieces < 20) {
      await scheduler.turn();
      pass(4);
      done.pieces += 1;
    }
    scheduler.end(work);
  };
  return { done, finished: goOn() };
}

test("While others ask for something, a heavy lane's pieces take about a quarter of the time", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  const { done, finished } = workInPieces(scheduler, pass);
  let restedMs = 0;
  for (; done.pieces < 20; restedMs++) {
    scheduler.noteRequest(() => "light");
    await turnsOfLoop(3);
    pass(1);
  }
  await finished;
  // Each piece of 4 ms is followed by the longest pause, which is 12 ms.
  expect(restedMs).toBeWithin(0.9 * 20 * 12, 1.1 * 20 * 12);
});

/** Milliseconds for which a heavy lane's requests rest, each of one piece, while others ask. */
async function restBesideOthers(pieceMs: number, count: number): Promise<number> {
  const { scheduler, pass } = schedulerWithHeavyLane();
  let done = 0;
  const askAgain = async () => {
    for (; done < count; done++) {
      const work = new LongWork();
      await scheduler.begin(work, "heavy");
      pass(pieceMs);
      scheduler.end(work);
    }
  };
  const finished = Promise.all([askAgain(), askAgain()]);
  let restedMs = 0;
  for (; done < count; restedMs++) {
    scheduler.noteRequest(() => "light");
    await turnsOfLoop(3);
    pass(1);
  }
  pass(12);
  await finished;
  return restedMs;
}

test("While others ask for something, heavy requests of one piece take a fifth to a quarter of the time, however short they are", async () => {
  expect(await restBesideOthers(4, 20)).toBeWithin(0.8 * 20 * 12, 1.1 * 20 * 12);
  expect(await restBesideOthers(0.25, 200)).toBeWithin(0.8 * 200 * 1, 1.1 * 200 * 1);
});

test("While nobody else asks, a heavy lane's pieces have no pauses, its own requests notwithstanding", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  const { done, finished } = workInPieces(scheduler, pass);
  for (let turn = 0; turn < 60; turn++) {
    scheduler.noteRequest(() => "heavy");
    await turnsOfLoop(1);
  }
  await finished;
  expect(done.pieces).toBe(20);
});

test("Of many lanes that use about as much each, the heavy ones do not pause for those just below", async () => {
  const { scheduler, pass } = schedulerWithClock();
  const use = async (lane: string, milliseconds: number) => {
    const work = new LongWork();
    await scheduler.begin(work, lane);
    pass(milliseconds);
    scheduler.end(work);
  };
  await use("just below", 40);
  await use("heavy", 60);
  const { done, finished } = workInPieces(scheduler, () => pass(1));
  for (let turn = 0; turn < 60; turn++) {
    scheduler.noteRequest(() => "just below");
    await turnsOfLoop(1);
  }
  await finished;
  expect(done.pieces).toBe(20);
});

test("After work of a heavy lane inside a write there is a pause, too", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  const work = new LongWork();
  void scheduler.begin(work, "heavy");
  await turnsOfLoop(2);
  scheduler.noteRequest(() => "light");
  pass(3);
  scheduler.count(work, 3);
  scheduler.end(work);
  const next = beginMany(scheduler, "heavy", 1);
  pass(11);
  await turnsOfLoop(5);
  expect(next).toHaveLength(0);
  pass(1);
  await turnsOfLoop(5);
  expect(next).toHaveLength(1);
});

test("Work of a heavy lane that has waited for something else pauses after its pieces, too", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  const work = new LongWork();
  const steps: string[] = [];
  const goOn = async () => {
    await scheduler.begin(work, "heavy");
    await turnsOfLoop(3);
    await scheduler.turn(work);
    steps.push("has waited");
    pass(4);
    await scheduler.turn();
    steps.push("has paused");
  };
  const finished = goOn();
  await turnsOfLoop(2);
  scheduler.noteRequest(() => "light");
  await turnsOfLoop(10);
  expect(steps).toEqual(["has waited"]);
  pass(12);
  await finished;
  expect(steps).toEqual(["has waited", "has paused"]);
});

test("A lane that has used far less than the heaviest one does not pause with it", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  const own = new LongWork();
  void scheduler.begin(own, "busy");
  pass(40);
  scheduler.end(own);
  const { next } = await workUntilPause(scheduler, pass);
  expect(next.hasGoneOn).toBe(false);
  expect(scheduler.begin(new LongWork(), "busy")).toBeUndefined();
});

/**
 * Begins a heavy request, and does a piece of 100 ms of it while others ask. Tells when its next
 * piece goes on.
 */
async function workUntilPause(scheduler: LoopScheduler, pass: (milliseconds: number) => void) {
  const work = new LongWork();
  const next = { hasGoneOn: false };
  const goOn = async () => {
    await scheduler.begin(work, "heavy");
    await scheduler.turn();
    pass(100);
    await scheduler.turn();
    next.hasGoneOn = true;
  };
  void goOn();
  for (let turn = 0; turn < 5; turn++) {
    scheduler.noteRequest(() => "light");
    await turnsOfLoop(1);
  }
  return { work, next };
}

test("A pause is short, and ends with the heavy request", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  const first = await workUntilPause(scheduler, pass);
  expect(first.next.hasGoneOn).toBe(false);
  pass(12);
  await turnsOfLoop(5);
  expect(first.next.hasGoneOn).toBe(true);
  scheduler.end(first.work);
  const second = await workUntilPause(scheduler, pass);
  expect(second.next.hasGoneOn).toBe(false);
  scheduler.end(second.work);
  await turnsOfLoop(5);
  expect(second.next.hasGoneOn).toBe(true);
});

test("While a heavy request pauses, the work of others begins at once and goes on", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  const { next } = await workUntilPause(scheduler, pass);
  beginMany(scheduler, "heavy", 1);
  let pieces = 0;
  const answer = async () => {
    expect(scheduler.begin(new LongWork(), "light")).toBeUndefined();
    for (; pieces < 5; pieces++) await scheduler.turn();
  };
  void answer();
  await turnsOfLoop(20);
  expect([pieces, next.hasGoneOn]).toEqual([5, false]);
});

test("Time for which a heavy request waits for something else is no reason to pause", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  let hasGoneOn = false;
  const goOn = async () => {
    await scheduler.begin(new LongWork(), "heavy");
    await scheduler.turn();
    await turnsOfLoop(3);
    pass(200);
    await scheduler.turn();
    hasGoneOn = true;
  };
  void goOn();
  for (let turn = 0; turn < 12; turn++) {
    scheduler.noteRequest(() => "light");
    await turnsOfLoop(1);
  }
  expect(hasGoneOn).toBe(true);
});
