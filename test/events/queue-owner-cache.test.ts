import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Reader } from "../../db/reader";
import { isSubscribed } from "../../src/core/reading-right/audience";
import { FollowedLogs } from "../../src/events/followed-logs";
import { QueueOwnerCache } from "../../src/events/queue-owner-cache";
import type { RealmLog } from "../../src/events/realm-log";
import { errorOf } from "../support/outcome";
import { makeWorld, type World } from "../support/world";

let world: World;
let log: RealmLog;
let owners: QueueOwnerCache;
/** The statements that were run; none can run while the database is away. */
let statements: number;
let isAway: boolean;
beforeEach(async () => {
  world = await makeWorld();
  const { engine } = world.app;
  const ignored = () => undefined;
  log = await new FollowedLogs(engine, {
    added: ignored,
    caughtUp: ignored,
    failed: ignored,
  }).follow(world.realm.id);
  const reader: Reader = {
    ...engine.reader,
    get db() {
      if (isAway) throw new Error("away");
      statements += 1;
      return engine.reader.db;
    },
  };
  owners = new QueueOwnerCache(reader);
  isAway = false;
  await owners.find(log, world.olga.id);
  statements = 0;
});
afterEach(() => world.close());

const findForQueues = (count: number) =>
  Promise.all(Array.from({ length: count }, () => owners.find(log, world.alice.id)));

test("All event queues of a person share one read of what they may see", async () => {
  await findForQueues(1);
  const forOne = statements;
  owners.forget(world.alice.id);
  statements = 0;
  const found = await findForQueues(10);
  expect(new Set(found).size).toBe(1);
  expect(found[0]?.userId).toBe(world.alice.id);
  expect(statements).toBe(forOne);
});

test("Nobody gets facts from a read during which they changed", async () => {
  const { alice, channels, olga } = world;
  const early = findForQueues(2);
  const subscriptions = JSON.stringify(["general"]);
  const removal = { subscriptions, principals: JSON.stringify([alice.id]) };
  expect((await olga.delete("/users/me/subscriptions", removal)).status).toBe(200);
  owners.forget(alice.id);
  statements = 0;
  const late = await owners.find(log, alice.id);
  expect(late && isSubscribed(late, channels.general)).toBe(false);
  expect(owners.cached(alice.id)).toBe(late);
  expect(owners.mayBeSubscribed(channels.general)).not.toContain(alice.id);
  expect(statements).toBeGreaterThan(0);
  await early;
});

test("A read that was under way when the facts changed is made again", async () => {
  await findForQueues(1);
  const forOne = statements;
  owners.forget(world.alice.id);
  statements = 0;
  const early = findForQueues(2);
  owners.forget(world.alice.id);
  const found = [...(await early), await owners.find(log, world.alice.id)];
  expect(new Set(found).size).toBe(1);
  expect(statements).toBe(2 * forOne);
});

test("A failed read leaves nothing behind: the next one reads again", async () => {
  isAway = true;
  for (let i = 0; i < 3; i++)
    expect(await errorOf(findForQueues(2))).toHaveProperty("message", "away");
  isAway = false;
  expect((await owners.find(log, world.alice.id))?.userId).toBe(world.alice.id);
  owners.forget(world.alice.id);
  expect(owners.cached(world.alice.id)).toBeUndefined();
});
