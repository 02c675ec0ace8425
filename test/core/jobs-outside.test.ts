import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { operatorContext } from "../../src/core/operator";
import { write } from "../../src/core/write";
import { defineJob, type Job } from "../../src/jobs/define";
import * as store from "../../src/jobs/store";
import { findRealmByHost } from "../../src/realm/queries";
import { otherHost } from "../support/cast";
import { until } from "../support/polls";
import { makeWorld, type World } from "../support/world";

const named = Type.Object({ word: Type.String() });
type Named = { word: string };

let ran: string[] = [];
let atOnce = 0;
let most = 0;
let release = Promise.withResolvers<void>();

/** Waits for somebody outside who does not answer for long. */
const far: Job<Named> = defineJob(
  "far",
  named,
  async (_ctx, { word }) => {
    ran.push(word);
    if (word === "quick") return undefined;
    atOnce += 1;
    most = Math.max(most, atOnce);
    await release.promise;
    atOnce -= 1;
    return undefined;
  },
  { isOutside: true, isLeased: true },
);

/** Works for long, without waiting for anybody outside. */
const lengthy: Job<Named> = defineJob(
  "lengthy",
  named,
  async (_ctx, { word }) => {
    ran.push(word);
    await release.promise;
    return undefined;
  },
  { isLong: true },
);

const note = (name: string, isOutside: boolean): Job<Named> =>
  defineJob(
    name,
    named,
    async (_ctx, { word }) => {
      ran.push(word);
      return undefined;
    },
    { isOutside },
  );
const [near, other] = [note("near", false), note("other", true)];

let world: World;
beforeEach(async () => {
  [ran, atOnce, most, release] = [[], 0, 0, Promise.withResolvers<void>()];
  world = await makeWorld({}, [far, lengthy, near, other]);
});
afterEach(() => world.close());

async function enqueue(
  job: Job<Named>,
  words: string[],
  ctx = world.operator,
  how: Parameters<Job<Named>["enqueue"]>[3] = {},
) {
  await write({ app: ctx.app, realm: ctx.realm, now: ctx.now }, async (tx) => {
    for (const word of words) await job.enqueue(tx, ctx, { word }, how);
  });
}

const perRealm = 16;
const slow = Array.from({ length: 100 }, (_, index) => `slow ${index}`);

test("Who waits for somebody outside holds up neither other work nor another organization", async () => {
  await enqueue(far, slow);
  await until(() => ran.length === perRealm);
  await enqueue(near, ["near"]);
  await enqueue(other, ["other"]);
  const realm = await findRealmByHost(world.app.engine.reader, otherHost);
  if (!realm) throw new Error("there is no other realm");
  await enqueue(far, ["quick"], operatorContext(world.app, realm));
  await until(() => ran.length === perRealm + 3);
  expect(ran.slice(perRealm).sort()).toEqual(["near", "other", "quick"]);
  release.resolve();
  await world.app.jobs.settled();
  expect(new Set(ran.filter((word) => word.startsWith("slow")))).toEqual(new Set(slow));
  expect(ran).toHaveLength(slow.length + 3);
  expect(most).toBe(perRealm);
  expect(await world.app.jobs.list()).toEqual([]);
});

test("While one organization uses all its places, its waiting jobs are not stepped over at each end of one", async () => {
  const { operator, realm } = world;
  const row = {
    realmId: realm.id,
    name: far.name,
    payload: '{"word":"quick"}',
    runAt: operator.now,
    dueAt: operator.now,
    createdAt: operator.now,
  };
  const rows = Array.from({ length: 200 }, () => row);
  await write(operator, ({ db, t }) => db.insert(t.jobs).values(rows));
  const read = spyOn(store, "nextJobs");
  try {
    await enqueue(far, ["quick"]);
    await until(() => ran.length === rows.length + 1);
    await world.app.jobs.settled();
    const isLimited = ([, , , full]: Parameters<typeof store.nextJobs>) =>
      full !== undefined && full.realmIds.length > 0;
    expect(read.mock.calls.length).toBeGreaterThan(1);
    expect(read.mock.calls.filter(isLimited).length).toBeLessThan(5);
  } finally {
    read.mockRestore();
  }
});

test("long work does not hold up other work", async () => {
  await enqueue(lengthy, slow);
  await until(() => ran.length === 16);
  await enqueue(near, ["near"]);
  await until(() => ran.length === 17);
  expect(ran.at(-1)).toBe("near");
  release.resolve();
  await world.app.jobs.settled();
  expect(ran).toHaveLength(slow.length + 1);
});

const heldBy = (id: number, part = "bot") => ({ holder: { id, part } });

test("one person's jobs leave places for those of others, who may then use most of them", async () => {
  const { operator } = world;
  await enqueue(far, slow, operator, heldBy(1));
  await until(() => ran.length === 12);
  await enqueue(far, slow, operator, heldBy(2));
  await until(() => ran.length === 15);
  await enqueue(far, ["quick"], operator, heldBy(3));
  await until(() => ran.includes("quick"));
  await enqueue(far, ["quick"], operator);
  await until(() => ran.filter((word) => word === "quick").length === 2);
  expect(atOnce).toBe(15);
  release.resolve();
  await world.app.jobs.settled();
  expect(ran).toHaveLength(2 * slow.length + 2);
});

/** Stores jobs of somebody that wait for tomorrow, without enqueuing each. */
async function fillWithLater(count: number, holderId: number) {
  const { operator, realm } = world;
  const tomorrow = operator.now + 86_400;
  const row = {
    realmId: realm.id,
    name: far.name,
    holderId,
    payload: '{"word":"later"}',
    runAt: tomorrow,
    dueAt: tomorrow,
    createdAt: operator.now,
  };
  const rows = Array.from({ length: count }, () => row);
  await write(operator, ({ db, t }) => db.insert(t.jobs).values(rows));
}

test("of one person's jobs, at most a thousand wait, and then the newest further one of each bot", async () => {
  const { operator } = world;
  const room = 15;
  await fillWithLater(store.waitingMax.ofHolder - room, 1);
  const words = Array.from({ length: room + 5 }, (_, index) => `slow ${index}`);
  await enqueue(far, words, operator, heldBy(1, "one"));
  await enqueue(far, ["slow a", "slow b"], operator, heldBy(1, "two"));
  await enqueue(far, ["slow c"], operator, heldBy(2));
  expect(await world.app.jobs.list()).toHaveLength(store.waitingMax.ofHolder + 3);
  release.resolve();
  await world.app.jobs.settled();
  const expected = [...words.slice(0, room), `slow ${words.length - 1}`, "slow b", "slow c"];
  expect(ran.toSorted()).toEqual(expected.sort());
  expect(await world.app.jobs.list()).toHaveLength(store.waitingMax.ofHolder - room);
});

test("a lane of one person has at most a hundred jobs, and then the newest further one", async () => {
  const { operator } = world;
  const words = Array.from({ length: store.waitingMax.ofLane + 5 }, (_, index) => `slow ${index}`);
  await enqueue(far, words, operator, { lane: "one", ...heldBy(1, "one") });
  await enqueue(far, ["quick"], operator, { lane: "two", ...heldBy(1, "two") });
  await until(() => ran.includes("quick"));
  release.resolve();
  await world.app.jobs.settled();
  const expected = [...words.slice(0, store.waitingMax.ofLane), `slow ${words.length - 1}`];
  expect(ran.filter((word) => word !== "quick")).toEqual(expected);
});

test("a job that replaces another tells of the loss, also while an earlier one with its key runs", async () => {
  const { operator } = world;
  let lostCount = 0;
  const onDropped = async () => {
    lostCount += 1;
  };
  const how = { key: "k", onDropped };
  await enqueue(far, ["slow a"], operator, how);
  await until(() => ran.length === 1);
  await enqueue(far, ["slow b"], operator, how);
  expect(lostCount).toBe(0);
  await enqueue(far, ["slow c"], operator, how);
  expect(lostCount).toBe(1);
  await enqueue(far, ["slow d"], operator, how);
  expect(lostCount).toBe(2);
  release.resolve();
  await world.app.jobs.settled();
  expect(ran).toEqual(["slow a", "slow d"]);
  expect(await world.app.jobs.list()).toEqual([]);
});
