import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Queue, WireEvent } from "../support/client";
import { measureLongestRead } from "../support/databases/bytes-read";
import { makeWorld, type World } from "../support/world";

/** Together their texts are more than four times as long as what may be read at once. */
const count = 80;
const content = `needle ${"😀$$x^2$$".repeat(900)}`;
const readBytesMax = 1_048_576;

const longestRead = measureLongestRead();
let world: World;
let queue: Queue;
const ids: number[] = [];

beforeAll(async () => {
  world = await makeWorld();
  queue = await world.carol.register({ event_types: ["message"] });
  for (let n = 0; n < count; n++) ids.push(await world.alice.say("general", "t", content));
});
afterAll(() => world?.close());

const idsOf = (some: { id: number }[]) => some.map(({ id }) => id);

test("a long page of messages is read in pieces, each message once", async () => {
  await world.restart();
  let read: number[] = [];
  const longest = await longestRead(async () => {
    const asked = { anchor: "newest", num_before: 5_000, num_after: 0 };
    read = idsOf((await world.carol.get("/messages", asked)).body.messages);
  });
  expect(read.filter((id) => ids.includes(id))).toEqual(ids);
  expect(longest).toBeLessThan(readBytesMax);
});

test("messages found by a search are read in pieces, each message once", async () => {
  await world.restart();
  let read: number[] = [];
  const longest = await longestRead(async () => {
    const narrow = [
      { operator: "topic", operand: "t" },
      { operator: "has", operand: "link", negated: true },
    ];
    const asked = { anchor: "oldest", num_before: 0, num_after: 5_000, narrow };
    read = idsOf((await world.carol.get("/messages", asked)).body.messages);
  });
  expect(read).toEqual(ids);
  expect(longest).toBeLessThan(readBytesMax);
});

test("messages found by a word are read in pieces, each message once", async () => {
  await world.restart();
  let read: number[] = [];
  const longest = await longestRead(async () => {
    const narrow = [{ operator: "search", operand: "needle" }];
    const asked = { anchor: "newest", num_before: 60, num_after: 0, narrow };
    read = idsOf((await world.carol.get("/messages", asked)).body.messages);
  });
  expect(read.toSorted((a, b) => a - b)).toEqual(ids.slice(-read.length));
  expect(read.length).toBeGreaterThan(40);
  expect(longest).toBeLessThan(readBytesMax);
});

test("events of many long messages are read in pieces, each event once", async () => {
  await world.restart();
  let events: WireEvent[] = [];
  const longest = await longestRead(async () => {
    events = (await queue.poll({ dont_block: true })).body.events;
  });
  expect(idsOf(events.map(({ message }) => message))).toEqual(ids);
  expect(longest).toBeLessThan(readBytesMax);
});
