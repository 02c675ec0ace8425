import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Reader } from "../../db/reader";
import { isSubscribed } from "../../src/core/reading-right/audience";
import { FollowedLogs } from "../../src/events/followed-logs";
import type { RealmLog } from "../../src/events/realm-log";
import { ViewerCache } from "../../src/events/viewer-cache";
import { errorOf } from "../support/outcome";
import { makeWorld, type World } from "../support/world";

let world: World;
let log: RealmLog;
let viewers: ViewerCache;
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
  viewers = new ViewerCache(reader);
  isAway = false;
  await viewers.find(log, world.olga.id);
  statements = 0;
});
afterEach(() => world.close());

const findForQueues = (count: number) =>
  Promise.all(Array.from({ length: count }, () => viewers.find(log, world.alice.id)));

test("All event queues of a person share one read of what they may see", async () => {
  await findForQueues(1);
  const forOne = statements;
  viewers.forget(world.alice.id);
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
  viewers.forget(alice.id);
  statements = 0;
  const late = await viewers.find(log, alice.id);
  expect(late && isSubscribed(late, channels.general)).toBe(false);
  expect(viewers.cached(alice.id)).toBe(late);
  expect(viewers.mayBeSubscribed(channels.general)).not.toContain(alice.id);
  expect(statements).toBeGreaterThan(0);
  await early;
});

test("A read that was under way when the facts changed is made again", async () => {
  await findForQueues(1);
  const forOne = statements;
  viewers.forget(world.alice.id);
  statements = 0;
  const early = findForQueues(2);
  viewers.forget(world.alice.id);
  const found = [...(await early), await viewers.find(log, world.alice.id)];
  expect(new Set(found).size).toBe(1);
  expect(statements).toBe(2 * forOne);
});

test("A failed read leaves nothing behind: the next one reads again", async () => {
  isAway = true;
  for (let i = 0; i < 3; i++)
    expect(await errorOf(findForQueues(2))).toHaveProperty("message", "away");
  isAway = false;
  expect((await viewers.find(log, world.alice.id))?.userId).toBe(world.alice.id);
  viewers.forget(world.alice.id);
  expect(viewers.cached(world.alice.id)).toBeUndefined();
});
