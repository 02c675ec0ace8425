import { afterEach, beforeEach, expect, test } from "bun:test";
import { makeTrafficCount, weeklyTrafficOf } from "../../src/channels/traffic";
import type { Queue } from "../support/client";
import { verifyInTurn } from "../support/client-state/verify";
import { move, subscribeTo } from "../support/moves";
import { turnsDuring } from "../support/turns";
import { makeWorld, type World } from "../support/world";

const day = 86_400;

let world: World;
let count: () => Promise<void>;
const later = async (days: number) => {
  world.clock.advance(days * day);
  await count();
};
beforeEach(async () => {
  // Half a year goes by while clients wait; the server counts by itself as well.
  world = await makeWorld({ queue_idle_seconds: String(1_000 * day) });
  count = makeTrafficCount(world.app, () => false);
});
afterEach(() => world.close());

const standing = async (id: number) => {
  const { stream } = (await world.alice.get(`/streams/${id}`)).body;
  return [stream.stream_weekly_traffic, stream.is_recently_active];
};

const told = async (queue: Queue) =>
  (await queue.events()).flatMap(({ type, property, value }) =>
    type === "stream" ? [[property, value]] : [],
  );

test("Traffic is the average of the last four weeks, to two digits, of a channel that is a week old", () => {
  expect(weeklyTrafficOf(100, 6)).toBeNull();
  expect(weeklyTrafficOf(0, 7)).toBe(0);
  expect(weeklyTrafficOf(1, 365)).toBe(1);
  expect(weeklyTrafficOf(100, 7)).toBe(100);
  expect(weeklyTrafficOf(100, 14)).toBe(50);
  expect(weeklyTrafficOf(100, 365)).toBe(25);
  expect(weeklyTrafficOf(6_180 * 4, 28)).toBe(6_200);
});

test("Once a day it is counted how busy channels are, and those hear of it who may know them", async () => {
  const { alice, bob, carol, clock, channels } = world;
  const [toBob, toCarol] = [await bob.register(), await carol.register()];
  await count();
  expect(await standing(channels.general)).toEqual([null, true]);
  for (let index = 0; index < 5; index++) await alice.say("general", "old", "long ago");
  clock.advance(10 * day);
  for (let index = 0; index < 9; index++) await alice.say("general", "new", "lately");
  await alice.say("secret", "new", "psst");
  await later(25);
  expect(await standing(channels.general)).toEqual([2, true]);
  expect(await standing(channels.secret)).toEqual([1, true]);
  const [ofBob, ofCarol] = [await told(toBob), await told(toCarol)];
  expect(ofBob).toContainEqual(["stream_weekly_traffic", 1]);
  expect(ofCarol.at(-1)).toEqual(["stream_weekly_traffic", 2]);
  expect(ofCarol).not.toContainEqual(["stream_weekly_traffic", 1]);
  await alice.say("general", "new", "once more");
  await later(0.5);
  expect(await told(toBob)).toEqual([]);
});

test("A channel in which nobody writes for half a year is not active, until somebody does", async () => {
  const { alice, bob, otto, greta, channels } = world;
  const verifyNext = verifyInTurn(world);
  await verifyNext(() => later(100));
  await alice.say("general", "news", "hello");
  await verifyNext(() => later(100));
  expect(await standing(channels.general)).toEqual([0, true]);
  expect(await standing(channels.plans)).toEqual([0, false]);
  const queues = await Promise.all([bob, otto, greta].map((one) => one.register()));
  await verifyNext(() => later(100));
  expect(await standing(channels.general)).toEqual([0, false]);
  await verifyNext(() => alice.say("general", "news", "is anybody here?"));
  expect(await standing(channels.general)).toEqual([0, true]);
  await verifyNext(() => alice.say("general", "news", "nobody"));
  const changes = [
    ["is_recently_active", false],
    ["is_recently_active", true],
  ];
  const [toBob, toOtto, toGreta] = await Promise.all(queues.map(told));
  expect([toBob, toOtto, toGreta]).toEqual([changes, changes, []]);
});

test("A channel becomes active by a young message that is moved into it, and not by an old one", async () => {
  const { olga, bob } = world;
  const crew = await subscribeTo(olga, "crew", [olga, bob], {});
  const old = await olga.say("general", "old", "long ago");
  await later(200);
  const young = await olga.say("general", "young", "lately");
  expect((await standing(crew))[1]).toBe(false);
  const queue = await bob.register();
  const silently = { stream_id: crew, send_notification_to_new_thread: false };
  const verifyNext = verifyInTurn(world);
  await verifyNext(() => move(olga, old, silently));
  expect((await standing(crew))[1]).toBe(false);
  await verifyNext(() => move(olga, young, silently));
  expect((await standing(crew))[1]).toBe(true);
  expect(await told(queue)).toContainEqual(["is_recently_active", true]);
});

test("Others have their turn while many channels are counted", async () => {
  const names = Array.from({ length: 100 }, (_, index) => ({ name: `room ${index}` }));
  await world.olga.post("/users/me/subscriptions", { subscriptions: names });
  const turns = await turnsDuring(makeTrafficCount(world.app, () => false));
  expect(turns).toBeGreaterThanOrEqual(5);
});
