import { expect, test } from "bun:test";
import { LongWork, LoopScheduler } from "../../src/core/turns/loop-scheduler";
import {
  beginMany,
  schedulerWithClock,
  schedulerWithHeavyLane,
  turnsOfLoop,
} from "../support/clocked-scheduler";

/** A timer that does not go off. */
const never = () => () => undefined;

/**
 * A scheduler whose time is the work that pieces do, and the numbers of the turns of the event loop
 * in which they do it.
 */
function schedulerAtWork() {
  let [work, turn, isWatching] = [0, 0, true];
  const turns = new Map<number, string[]>();
  const watch = () => {
    turn += 1;
    if (isWatching) setImmediate(watch);
  };
  setImmediate(watch);
  const scheduler = new LoopScheduler(() => work, never);
  return {
    scheduler,
    work(name: string, amount: number) {
      work += amount;
      turns.set(turn, [...(turns.get(turn) ?? []), name]);
    },
    /** The pieces of each turn of the loop that had some. */
    end() {
      isWatching = false;
      return [...turns.values()];
    },
  };
}

test("Of long pieces that wait, each turn of the event loop does one", async () => {
  const { scheduler, work, end } = schedulerAtWork();
  const loop = async (name: string) => {
    for (let piece = 0; piece < 3; piece++) {
      await scheduler.turn();
      work(name, 3);
    }
  };
  await Promise.all(["a", "b", "c", "d"].map(loop));
  const turns = end();
  expect(Math.max(...turns.map((pieces) => pieces.length))).toBe(1);
  expect(turns.flat().join("")).toBe("abcdabcdabcd");
});

test("Short pieces share a turn of the event loop until its slice is used up", async () => {
  const { scheduler, work, end } = schedulerAtWork();
  const loop = async (name: string) => {
    await scheduler.turn();
    await Promise.resolve();
    work(name, 0.5);
  };
  await Promise.all([..."abcdefgh"].map(loop));
  const turns = end();
  expect(turns.flat().join("")).toBe("abcdefgh");
  expect(turns.length).toBeLessThan(5);
  expect(Math.max(...turns.map((pieces) => pieces.length))).toBeLessThanOrEqual(5);
});

test("A request that comes alone begins at once", () => {
  const { scheduler, end } = schedulerAtWork();
  expect(scheduler.begin(new LongWork(), "a")).toBeUndefined();
  end();
});

test("Of requests that come together, those beyond the slice begin in later turns, and first those of people who asked for nothing lately", async () => {
  const { scheduler, work, end } = schedulerAtWork();
  const begun: string[] = [];
  const request = async (lane: string) => {
    const longWork = new LongWork();
    await scheduler.begin(longWork, lane);
    begun.push(lane);
    work(lane, 3);
    scheduler.end(longWork);
  };
  /** Requests that the loop hands over one after the other, each with all it does at once. */
  const come = async (lanes: string) => {
    begun.length = 0;
    const requests: Promise<void>[] = [];
    for (const lane of lanes) {
      requests.push(request(lane));
      for (let step = 0; step < 5; step++) await Promise.resolve();
    }
    await Promise.all(requests);
    return begun.join("");
  };
  expect(await come("aaaaabb")).toBe("ababaaa");
  expect(await come("aaac")).toBe("acaa");
  expect(Math.max(...end().map((pieces) => pieces.length))).toBeLessThanOrEqual(2);
});

test("Long work that has begun goes on however many others begin", async () => {
  const { scheduler, work, end } = schedulerAtWork();
  let left = 40;
  const begins = async (lane: string) => {
    while (left > 0) {
      const longWork = new LongWork();
      await scheduler.begin(longWork, lane);
      work(lane, 3);
      scheduler.end(longWork);
      left -= 1;
    }
  };
  const others = [..."abcdef"].map(begins);
  for (let piece = 0; piece < 5; piece++) {
    await scheduler.turn();
    work("long", 3);
  }
  expect(left).toBeGreaterThan(10);
  left = 0;
  await Promise.all(others);
  end();
});

test("Of a lane that had much work lately, one request is under way at a time, and others begin beside it", async () => {
  const { scheduler } = schedulerWithHeavyLane();
  const begun = beginMany(scheduler, "heavy", 3);
  await turnsOfLoop(10);
  expect(begun.length).toBe(1);
  const others = beginMany(scheduler, "light", 3);
  await turnsOfLoop(10);
  expect(others.length).toBe(3);
  for (let done = 0; done < 2; done++) {
    const [work] = begun.slice(done);
    if (work) scheduler.end(work);
    await turnsOfLoop(10);
    expect(begun.length).toBe(done + 2);
  }
});

test("A request that begins its work again after its end waits as others do", async () => {
  const { scheduler } = schedulerWithHeavyLane();
  const begun = beginMany(scheduler, "heavy", 2);
  await turnsOfLoop(10);
  const [work] = begun;
  if (!work) throw new Error("Nothing has begun.");
  scheduler.end(work);
  let hasBegun = false;
  void Promise.resolve(scheduler.begin(work, "heavy")).then(() => {
    hasBegun = true;
  });
  await turnsOfLoop(10);
  expect(hasBegun).toBe(false);
});

test("A lane that has asked for nothing for a while is not kept waiting", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  pass(60_000);
  const begun = beginMany(scheduler, "heavy", 3);
  await turnsOfLoop(10);
  expect(begun.length).toBe(3);
});

test("A request that goes on for too long keeps no other heavy one from beginning", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  const begun = beginMany(scheduler, "heavy", 2);
  await turnsOfLoop(10);
  expect(begun.length).toBe(1);
  pass(2_000);
  await turnsOfLoop(10);
  expect(begun.length).toBe(2);
});

test("A place is free a quarter of a second after its work began, whenever others came to wait for it", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  const begun = beginMany(scheduler, "heavy", 1);
  await turnsOfLoop(10);
  pass(200);
  const waiting = beginMany(scheduler, "heavy", 1);
  await turnsOfLoop(10);
  expect([begun.length, waiting.length]).toEqual([1, 0]);
  pass(50);
  await turnsOfLoop(10);
  expect(waiting.length).toBe(1);
});

/**
 * Whether one request begins while requests of others that come to wait outnumber those that begin.
 */
async function beginsInCrowd(
  scheduler: LoopScheduler,
  lane: string,
  pass: (milliseconds: number) => void,
) {
  const crowd = async (name: number) => {
    const work = new LongWork();
    await scheduler.begin(work, `other ${name}`);
    pass(3);
    scheduler.end(work);
  };
  for (let name = 0; name < 20; name++) void crowd(name);
  const own = beginMany(scheduler, lane, 1);
  for (let name = 20; name < 1_000 && own.length === 0; name++) {
    void crowd(name);
    void crowd(name + 1_000);
    await turnsOfLoop(1);
  }
  return own.length === 1;
}

test("Work of a heavy lane begins however many lighter ones keep coming", async () => {
  const { scheduler, pass } = schedulerWithHeavyLane();
  expect(await beginsInCrowd(scheduler, "heavy", pass)).toBe(true);
});

test("Work of a lane that has used a little begins however many lighter ones keep coming", async () => {
  const { scheduler, pass } = schedulerWithClock();
  const work = new LongWork();
  void scheduler.begin(work, "used");
  pass(30);
  scheduler.end(work);
  expect(await beginsInCrowd(scheduler, "used", pass)).toBe(true);
});

test("Of heavy lanes, a lighter one does not stand behind all overdue requests of another while light ones begin between", async () => {
  const { scheduler, pass } = schedulerWithClock();
  const [ofLighter, ofHeavier] = [new LongWork(), new LongWork()];
  void scheduler.begin(ofLighter, "lighter");
  void scheduler.begin(ofHeavier, "heavier");
  pass(1_100);
  scheduler.end(ofLighter);
  pass(400);
  scheduler.end(ofHeavier);
  const begun: string[] = [];
  const underWay: LongWork[] = [];
  const request = async (lane: string) => {
    const work = new LongWork();
    await scheduler.begin(work, lane);
    begun.push(lane);
    underWay.push(work);
  };
  for (let count = 0; count < 20; count++) void request("heavier");
  await turnsOfLoop(5);
  pass(1_000);
  await turnsOfLoop(5);
  void request("lighter");
  begun.length = 0;
  for (let round = 0; round < 4; round++) {
    const light = beginMany(scheduler, `light ${round}`, 1);
    await turnsOfLoop(5);
    expect(light).toHaveLength(1);
    for (const work of underWay.splice(0)) scheduler.end(work);
    await turnsOfLoop(5);
  }
  expect(begun).toHaveLength(4);
  expect(begun.indexOf("lighter")).toBeWithin(0, 2);
});

test("Time of a lane counts once, however many of its requests are under way", async () => {
  const { scheduler, pass } = schedulerWithClock();
  const works = Array.from({ length: 10 }, () => new LongWork());
  for (const work of works) void scheduler.begin(work, "parallel");
  await turnsOfLoop(20);
  pass(15);
  for (const work of works) scheduler.end(work);
  const next = beginMany(scheduler, "parallel", 2);
  await turnsOfLoop(10);
  expect(next.length).toBe(2);
});

test("Time counts while work is under way, not only when it is done", async () => {
  const { scheduler, pass } = schedulerWithClock();
  void scheduler.begin(new LongWork(), "a");
  pass(100);
  const next = beginMany(scheduler, "a", 2);
  await turnsOfLoop(10);
  expect(next.length).toBe(1);
});

test("Work whose end nobody tells does not count for longer than its beginning", async () => {
  const { scheduler, pass } = schedulerWithClock();
  void scheduler.begin(new LongWork(), "a", false);
  pass(10_000);
  const next = beginMany(scheduler, "a", 2);
  await turnsOfLoop(10);
  expect(next.length).toBe(2);
});

test("Work that leaves the loop to others meanwhile needs no place", async () => {
  const { scheduler } = schedulerWithHeavyLane();
  let begun = 0;
  for (let index = 0; index < 3; index++)
    void Promise.resolve(scheduler.begin(new LongWork(), "heavy", false)).then(() => {
      begun += 1;
    });
  await turnsOfLoop(10);
  expect(begun).toBe(3);
});

test("While all wait for a place, nothing runs", async () => {
  let asked = 0;
  let now = 0;
  const scheduler = new LoopScheduler(() => {
    asked += 1;
    return now;
  }, never);
  const work = new LongWork();
  void scheduler.begin(work, "heavy");
  now = 1_000;
  scheduler.end(work);
  beginMany(scheduler, "heavy", 3);
  await turnsOfLoop(5);
  const askedSoFar = asked;
  await turnsOfLoop(20);
  expect(asked).toBe(askedSoFar);
});

test("When nobody waits any more, nothing runs", async () => {
  let asked = 0;
  const scheduler = new LoopScheduler(() => {
    asked += 1;
    return 0;
  }, never);
  await Promise.all([scheduler.turn(), scheduler.begin(new LongWork(), "a"), scheduler.turn()]);
  await turnsOfLoop(5);
  const askedSoFar = asked;
  await turnsOfLoop(20);
  expect(asked).toBe(askedSoFar);
});
