import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Engine } from "../../db/engine";
import { catchUp } from "../../src/messages/search/indexing";
import { repairIndex } from "../../src/moving/check/repair";
import { makeWorld, type World } from "../support/world";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

test("a repair of the search index takes nothing away that was noted after an organization's index was emptied", async () => {
  const { alice, zoe, app, realm } = world;
  await alice.say("general", "kitchen", "first soup");
  await zoe.tell([zoe], "other soup");
  const { reader } = app.engine;
  const realms = await reader.db.select().from(app.engine.schema.realms);
  for (const { id } of realms) await catchUp(app, reader, id);
  const emptied: number[] = [];
  let indexed: number[] = [];
  const change = { realmId: 0, messageId: 77 };
  const write: Engine["write"] = async (realmId, ...rest) => {
    const value = await app.engine.write(realmId, ...rest);
    emptied.push(realmId);
    if (emptied.length > 1) return value;
    indexed = (await reader.db.select().from(reader.t.searchProgress)).map((row) => row.realmId);
    change.realmId = realmId;
    const note: Parameters<Engine["write"]>[1] = async ({ db, t }) =>
      void (await db.insert(t.searchChanges).values(change));
    await app.engine.write(realmId, note, () => undefined);
    return value;
  };
  await repairIndex({ ...app, engine: { ...app.engine, write } });
  expect(await reader.db.select().from(reader.t.searchChanges)).toEqual([change]);
  expect(await reader.db.select().from(reader.t.searchProgress)).toEqual([]);
  const ids = realms.map(({ id }) => id);
  expect(ids).toContain(realm.id);
  // SQLite has one lock for all organizations; on PostgreSQL each is emptied under its own.
  const isOneWrite = app.engine.dialect === "sqlite";
  expect(emptied).toEqual(isOneWrite ? ids.slice(0, 1) : ids);
  expect(indexed.toSorted()).toEqual(
    isOneWrite ? [] : ids.filter((id) => id !== emptied[0]).toSorted(),
  );
});
