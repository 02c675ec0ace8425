import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { Engine } from "../../db/engine";
import { DataInUseError, NewerSchemaError, readMigrations } from "../../db/migrate";
import { migratePostgres } from "../../db/migrate-postgres";
import { openEngine } from "../../db/open";
import { openPostgres } from "../../db/postgres";
import { isPostgresInUse, loadPostgresRows } from "../../db/postgres-rows";
import { type FreshPlace, freshPlace, notingHooks } from "../support/databases/storage";
import { outcomeOf } from "../support/outcome";
import { until } from "../support/polls";
import { openFailingNetwork } from "../support/servers/failing-network";

/* Servers at work on a database, as a migration and a restore see them. */

let place: FreshPlace;
let url: string;
let engine: Engine | undefined;

beforeEach(async () => {
  engine = undefined;
  place = await freshPlace();
  url = place.databaseUrl ?? "";
});

afterEach(async () => {
  await engine?.close();
  await place.remove();
});

const migrations = () => readMigrations(join(place.migrationsFolder, "postgres"));

/** A step of a later version. */
const laterStep = () => ({
  version: migrations().length + 1,
  name: "later",
  statements: ["CREATE TABLE later (a bigint)"],
});

test("a server counts as at work also where the address of its database gives the sessions another name", async () => {
  const named = `${url}?application_name=team-chat`;
  const { hooks } = notingHooks();
  ({ engine } = await openEngine({ ...place, databaseUrl: named }, hooks, 1));
  const steps = [...migrations(), laterStep()];
  for (const address of [url, named]) {
    expect(await isPostgresInUse(address)).toBe(true);
    expect(await outcomeOf(migratePostgres(address, steps, 1))).toThrow(DataInUseError);
  }
  await engine.close();
  engine = undefined;
  expect(await isPostgresInUse(named)).toBe(false);
  expect(await migratePostgres(named, steps, 1)).toMatchObject({ to: steps.length });
});

test("a server that was cut off while a newer version migrated the data ends, and writes nothing there", async () => {
  const network = await openFailingNetwork(url);
  const { hooks, notes } = notingHooks();
  ({ engine } = await openEngine({ ...place, databaseUrl: network.url }, hooks, 1));
  await network.down();
  await until(() => notes.includes("warn database_away"));
  const steps = [...migrations(), laterStep()];
  await migratePostgres(url, steps, 1);
  await network.up();
  await until(() => notes.some((note) => /^(back|fatal)/.test(note)));
  const told = notes.filter((note) => note.startsWith("fatal"));
  expect(told).toEqual([expect.stringMatching(/NewerSchemaError: .* at least as new/)]);
  const write = engine.write(
    1,
    async () => "written",
    () => undefined,
  );
  expect(await outcomeOf(write)).toThrow(/does not answer/);
  await network.close();
});

test("a server that was cut off while a restore replaced the data ends, and writes nothing there", async () => {
  const network = await openFailingNetwork(url);
  const { hooks, notes } = notingHooks();
  ({ engine } = await openEngine({ ...place, databaseUrl: network.url }, hooks, 1));
  await network.down();
  await until(() => notes.includes("warn database_away"));
  const steps = { migrations: migrations(), version: migrations().length, now: 1 };
  await loadPostgresRows(url, { ...steps, replaces: true }, (target) => target.finish(() => 1));
  await network.up();
  await until(() => notes.some((note) => /^(back|fatal)/.test(note)));
  const told = notes.filter((note) => note.startsWith("fatal"));
  expect(told).toEqual([expect.stringMatching(/ReplacedDataError: .* Start it again/)]);
  const write = engine.write(
    1,
    async () => "written",
    () => undefined,
  );
  expect(await outcomeOf(write)).toThrow(/does not answer/);
  await network.close();
});

test("a server that was cut off stays away while a newer version is at the migration", async () => {
  const network = await openFailingNetwork(url);
  const { hooks, notes } = notingHooks();
  ({ engine } = await openEngine({ ...place, databaseUrl: network.url }, hooks, 1));
  await network.down();
  await until(() => notes.includes("warn database_away"));
  const steps = [...migrations(), laterStep()];
  const copy = async () => {
    const before = network.taken();
    await network.up();
    // The second try tells that the first one was refused.
    await until(() => network.taken() > before + 1);
    return join(place.dataFolder, "copy");
  };
  await migratePostgres(url, steps, 1, { copy });
  await until(() => notes.some((note) => note.startsWith("fatal")));
  expect(notes).not.toContain("back");
  await network.close();
});

test("a server that opens the data while a newer version is at the migration waits, and is refused", async () => {
  await migratePostgres(url, migrations(), 1);
  const steps = [...migrations(), laterStep()];
  const { promise, resolve } = Promise.withResolvers<void>();
  let isCopying = false;
  const copy = async () => {
    isCopying = true;
    await promise;
    return join(place.dataFolder, "copy");
  };
  const migrating = migratePostgres(url, steps, 1, { copy });
  await until(() => isCopying);
  const { hooks, notes } = notingHooks();
  let hasOpened = false;
  const opening = openPostgres({ url, version: migrations().length }, hooks).then((opened) => {
    hasOpened = true;
    engine = opened;
  });
  const outcome = outcomeOf(opening);
  await until(async () => hasOpened || (await isPostgresInUse(url)));
  resolve();
  await migrating;
  expect(await outcome).toThrow(NewerSchemaError);
  expect(notes).toEqual([]);
});
