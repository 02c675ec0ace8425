import { afterEach, beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { write } from "../../src/core/write";
import { cached } from "../../src/memory/cached";
import { outcomeOf } from "../support/outcome";
import { makeWorld, type Node, type World } from "../support/world";

let world: World;
let other: Node;
beforeEach(async () => {
  world = await makeWorld();
  other = await world.startNode();
});
afterEach(() => world.close());

const countUsers = async ({ db, t }: Reader, realmId: number) =>
  (await db.select().from(t.users).where(eq(t.users.realmId, realmId))).length;

const addUser = (at: World["app"] | Node["app"], name: string) =>
  write({ app: at, realm: { id: world.realm.id }, now: 1 }, async ({ db, t }) =>
    db
      .insert(t.users)
      .values({
        realmId: world.realm.id,
        email: name,
        emailKey: name,
        fullName: name,
        role: 400,
        createdAt: 1,
      })
      .returning(),
  );

/** The number of users, and how often all of them were read for it. */
function countedUsers() {
  const reads = { count: 0 };
  const users = cached(["users"], async (reader, realmId) => {
    reads.count += 1;
    return countUsers(reader, realmId);
  });
  return { reads, users };
}

test("all who ask at once within a snapshot share one read", async () => {
  const { reads, users } = countedUsers();
  const realmId = world.realm.id;
  const { engine } = world.app;
  const count = await countUsers(engine.reader, realmId);
  const ask = (reader: Reader) =>
    Promise.all(Array.from({ length: 5 }, () => users(reader, realmId)));
  expect(await engine.snapshot(ask)).toEqual(Array(5).fill(count));
  expect(reads.count).toBe(1);
  await addUser(world.app, "new@example.com");
  expect(await engine.snapshot(ask)).toEqual(Array(5).fill(count + 1));
  expect(reads.count).toBe(2);
});

test("variants and organizations are told apart", async () => {
  const asked = cached(["users"], async (_, realmId, variant) => `${realmId} ${variant}`, {
    variantsMax: 10,
  });
  const pairs: [number, string][] = [
    [world.realm.id, "1"],
    [world.realm.id, "2"],
    [world.realm.id + 1, "1"],
    [world.realm.id + 1, "2"],
  ];
  const found = await world.app.engine.snapshot((reader) =>
    Promise.all(pairs.map(([realmId, variant]) => asked(reader, realmId, variant))),
  );
  expect(found).toEqual(pairs.map((pair) => pair.join(" ")));
});

test("a read that fails is not shared with those who ask after it", async () => {
  let reads = 0;
  const users = cached(["users"], async (reader, realmId) => {
    reads += 1;
    if (reads === 1) throw new Error("not now");
    return countUsers(reader, realmId);
  });
  const realmId = world.realm.id;
  const { engine } = world.app;
  await engine.snapshot(async (reader) => {
    const both = [users(reader, realmId), users(reader, realmId)].map(outcomeOf);
    for (const outcome of await Promise.all(both)) expect(outcome).toThrow("not now");
    expect(reads).toBe(1);
    expect(await users(reader, realmId)).toBe(await countUsers(reader, realmId));
  });
});

test("a snapshot shares no read with a reader of another moment", async () => {
  const realmId = world.realm.id;
  const { engine } = world.app;
  const count = await countUsers(engine.reader, realmId);
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let reads = 0;
  const users = cached(["users"], async (reader, id) => {
    const seen = await countUsers(reader, id);
    reads += 1;
    begun.resolve();
    if (reads === 1) await goOn.promise;
    return seen;
  });
  const early = engine.snapshot((reader) => users(reader, realmId));
  await begun.promise;
  await addUser(other.app, "late@example.com");
  engine.checkForOtherWrites();
  // On SQLite other readers share the transaction of the snapshot until it ends.
  if (engine.dialect === "postgres")
    expect(await users(engine.openReader(), realmId)).toBe(count + 1);
  goOn.resolve();
  expect(await early).toBe(count);
  expect(await engine.snapshot((reader) => users(reader, realmId))).toBe(count + 1);
});
