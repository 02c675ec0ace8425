import { expect, test } from "bun:test";
import { LoopLine } from "../../src/core/loop-line";

/**
 * A line whose time is the work that pieces do, and the numbers of the turns of the event loop in
 * which they do it.
 */
function lineAtWork() {
  let [work, turn, isWatching] = [0, 0, true];
  const turns = new Map<number, string[]>();
  const watch = () => {
    turn += 1;
    if (isWatching) setImmediate(watch);
  };
  setImmediate(watch);
  const line = new LoopLine(() => work);
  return {
    line,
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
  const { line, work, end } = lineAtWork();
  const loop = async (name: string) => {
    for (let piece = 0; piece < 3; piece++) {
      await line.turn();
      work(name, 3);
    }
  };
  await Promise.all(["a", "b", "c", "d"].map(loop));
  const turns = end();
  expect(Math.max(...turns.map((pieces) => pieces.length))).toBe(1);
  expect(turns.flat().join("")).toBe("abcdabcdabcd");
});

test("Short pieces share a turn of the event loop until its slice is used up", async () => {
  const { line, work, end } = lineAtWork();
  const loop = async (name: string) => {
    await line.turn();
    await Promise.resolve();
    work(name, 0.5);
  };
  await Promise.all([..."abcdefgh"].map(loop));
  const turns = end();
  expect(turns.flat().join("")).toBe("abcdefgh");
  expect(turns.length).toBeLessThan(4);
  expect(Math.max(...turns.map((pieces) => pieces.length))).toBeLessThanOrEqual(5);
});

test("A request that comes alone begins at once", () => {
  const { line, end } = lineAtWork();
  expect(line.begin("a")).toBeUndefined();
  end();
});

test("Of requests that come together, those beyond the slice begin in later turns, and first those of people who asked for nothing lately", async () => {
  const { line, work, end } = lineAtWork();
  const begun: string[] = [];
  const request = async (lane: string) => {
    await line.begin(lane);
    begun.push(lane);
    work(lane, 3);
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
  const { line, work, end } = lineAtWork();
  let left = 40;
  const begins = async (lane: string) => {
    while (left > 0) {
      await line.begin(lane);
      work(lane, 3);
      left -= 1;
    }
  };
  const others = [..."abcdef"].map(begins);
  for (let piece = 0; piece < 5; piece++) {
    await line.turn();
    work("long", 3);
  }
  expect(left).toBeGreaterThan(10);
  left = 0;
  await Promise.all(others);
  end();
});

test("When nobody waits any more, nothing runs", async () => {
  let asked = 0;
  const line = new LoopLine(() => {
    asked += 1;
    return 0;
  });
  await Promise.all([line.turn(), line.begin("a"), line.turn()]);
  const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));
  for (let turn = 0; turn < 5; turn++) await turnOfLoop();
  const askedSoFar = asked;
  for (let turn = 0; turn < 20; turn++) await turnOfLoop();
  expect(asked).toBe(askedSoFar);
});
