import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { Engine } from "../../db/engine";
import { DataInUseError, readMigrations } from "../../db/migrate";
import { migratePostgres } from "../../db/migrate-postgres";
import { openEngine } from "../../db/open";
import { isPostgresInUse } from "../../db/postgres-rows";
import { outcomeOf } from "../support/outcome";
import { type FreshPlace, freshPlace, notingHooks } from "../support/storage";

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
