import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { exportedTables } from "../../db/schema/tables";
import { reserveIds } from "../../db/take-rows";
import type { RunningApp } from "../../src/app";
import { importFile } from "../../src/moving/import/import-file";
import { numberedTables } from "../../src/moving/import/shifts";
import { exportToFile } from "../../src/moving/realm-archive/to-file";
import { idsPerBlock } from "../../src/reading/read-blocks";
import { backupFolder, serveRestored } from "../support/archives/backups";
import { emptyTables, fillRealm } from "../support/archives/full-realm";
import { type Move, movedBack, viewsOf } from "../support/archives/realm-view";
import { freshPlace, testEngine } from "../support/databases/storage";
import { makeWorld, type World, worldHost } from "../support/world";

const { folder, remove } = backupFolder();
afterAll(remove);

let made = 0;
const nextPath = () => join(folder, `${made++}.tar`);
const quiet = { progress: () => undefined };
const whole = { type: "full_without_consent", withPasswords: false } as const;

const exportWorld = async ({ app, realm }: Pick<World, "app" | "realm">) => {
  const path = nextPath();
  const report = await exportToFile(app, realm, path, whole, quiet);
  return { path, report };
};

const importAt = (app: RunningApp, path: string, host: string) =>
  importFile(app, path, { from: "chatd", host, name: undefined, isDry: false }, quiet);

const shift = 7_000 * idsPerBlock;

/**
 * Number of ids that a reservation leaves free on PostgreSQL, and the one that it takes to look.
 */
const margin = testEngine === "postgres" ? 10_001 : 0;

/**
 * Gives all ids out up to one place, so that the ids of the next import are all greater by one
 * number.
 */
async function leaveGap(target: RunningApp, { app, realm }: Pick<World, "app" | "realm">) {
  const { db } = app.engine.reader;
  for (const name of numberedTables()) {
    const table = Object.values(app.engine.schema).find(
      (one) => Reflect.get(one, Symbol.for("drizzle:Name")) === name,
    );
    if (!table || !("id" in table) || !("realmId" in table))
      throw new Error(`there is no table ${name}`);
    const isOfRealm = eq(table.realmId, realm.id);
    const [first] = await db
      .select({ id: table.id })
      .from(table)
      .where(isOfRealm)
      .orderBy(table.id)
      .limit(1);
    const min = name === "event_log" ? 1 : Number(first?.id ?? 1);
    const given = { min: 2 ** 39, max: shift + min - 1 - margin };
    await target.engine.write(
      0,
      (tx) => reserveIds(tx, name, given, 1),
      () => undefined,
    );
  }
}

/** Fails where somebody sees something else than before. */
function expectSame(after: Record<string, unknown>, before: Record<string, unknown>) {
  expect(Object.keys(after)).toEqual(Object.keys(before));
  for (const [email, view] of Object.entries(before))
    expect({ [email]: after[email] }).toEqual({ [email]: view });
}

describe("an organization that was exported and imported", () => {
  /** World with a full organization, and all that its people see there. */
  let world: World;
  let before: Awaited<ReturnType<typeof viewsOf>>;
  beforeAll(async () => {
    world = await makeWorld();
    await fillRealm(world);
    before = await viewsOf(world, worldHost);
  });
  afterAll(() => world.close());

  test("is the same field by field on another server", async () => {
    expect(
      await emptyTables(
        world,
        world.realm.id,
        exportedTables().map(({ name }) => name),
      ),
    ).toEqual([]);
    const { path } = await exportWorld(world);
    const place = await freshPlace();
    const other = await serveRestored(place, world.clock);
    // On PostgreSQL an import never keeps the old ids, because others may be given some meanwhile.
    const isSame = testEngine === "sqlite";
    if (!isSame) await leaveGap(other.app, world);
    const { realm, skipped } = await importAt(other.app, path, worldHost);
    expect(skipped).toEqual({});
    const move = {
      shift,
      realmId: { from: world.realm.id, to: realm?.id ?? 0 },
      host: { from: worldHost, to: worldHost },
    };
    const after = await viewsOf(other, worldHost);
    expectSame(isSame ? after : movedBack(after, move), before);
    await other.close();
    await place.remove();
  }, 120_000);

  test("is the same beside the first, with ids of its own wherever one is named", async () => {
    const { path } = await exportWorld(world);
    await leaveGap(world.app, world);
    const host = "copy.example.org";
    const { realm, skipped } = await importAt(world.app, path, host);
    expect(skipped).toEqual({});
    const move: Move = {
      shift,
      host: { from: worldHost, to: host },
      realmId: { from: world.realm.id, to: realm?.id ?? 0 },
    };
    expectSame(movedBack(await viewsOf(world, host), move), before);
  }, 120_000);

  test("is the same on a server with SQLite, whatever the engine here, and back", async () => {
    const there = { ...(await freshPlace()), databaseUrl: undefined };
    const sqlite = await serveRestored(there, world.clock);
    const { realm } = await importAt(sqlite.app, (await exportWorld(world)).path, worldHost);
    expectSame(await viewsOf(sqlite, worldHost), before);
    if (!realm) throw new Error("nothing was imported");
    const back = await exportWorld({ app: sqlite.app, realm });
    const host = "back.example.org";
    const here = await makeWorld();
    await leaveGap(here.app, world);
    const { realm: again } = await importAt(here.app, back.path, host);
    const realmId = { from: realm.id, to: again?.id ?? 0 };
    expectSame(
      movedBack(await viewsOf(here, host), {
        shift,
        realmId,
        host: { from: worldHost, to: host },
      }),
      before,
    );
    await sqlite.close();
    await there.remove();
    await here.close();
  }, 120_000);
});
