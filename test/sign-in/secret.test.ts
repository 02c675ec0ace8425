import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type MigrationRight, migrateSqlite, readMigrations } from "../../db/migrate";
import { migratePostgres } from "../../db/migrate-postgres";
import { databaseFile } from "../../db/open";
import { openApp } from "../../src/app";
import { loadConfig } from "../../src/config/config";
import { makeLog } from "../../src/core/log";
import { makeSecrets } from "../../src/core/secrets/secrets";
import { type FreshPlace, freshPlace, testEngine } from "../support/databases/storage";
import { makeFakeClock } from "../support/fake-clock";
import { outcomeOf } from "../support/outcome";

const [ours, theirs] = ["4f1c9e0b7a6d5238ce91f0a7b3d46e85", "a0b1c2d3e4f5968778695a4b3c2d1e0f"];

const open = (place: FreshPlace, secret: string, migrates: MigrationRight = "all") => {
  const config = loadConfig(
    { data: place.dataFolder, database: place.databaseUrl, secret },
    undefined,
    {},
  );
  const clock = makeFakeClock();
  return openApp(config, {
    log: makeLog(clock, "error", () => undefined),
    clock,
    exit: () => undefined,
    migrates,
  });
};

/** Makes data as the version before leaves it, with our secret's fingerprint. */
async function leaveOlderData({ databaseUrl, dataFolder, migrationsFolder }: FreshPlace) {
  const before = readMigrations(join(migrationsFolder, testEngine)).slice(0, -1);
  before
    .at(-1)
    ?.statements.push(
      `INSERT INTO server_facts (name, value) VALUES ('secret_fingerprint', '${makeSecrets(ours).fingerprint}')`,
    );
  if (databaseUrl !== undefined) return migratePostgres(databaseUrl, before, 5);
  return migrateSqlite(databaseFile(dataFolder), before, 5);
}

test("data that belongs to another secret is refused with a word on what to do, and with its own it opens again", async () => {
  const place = await freshPlace();
  await (await open(place, ours)).close();
  const refused = await open(place, theirs).catch((error: Error) => error.message);
  expect(refused).toContain("CHATD_SECRET");
  await (await open(place, ours)).close();
  await place.remove();
});

test("data of an earlier version that belongs to another secret is refused before it is migrated or copied", async () => {
  const place = await freshPlace();
  await leaveOlderData(place);
  const left = () => readdirSync(place.dataFolder).filter((name) => name.includes("before-schema"));
  for (const migrates of ["all", "none"] as const)
    expect(await outcomeOf(open(place, theirs, migrates))).toThrow(/belongs to another secret/);
  expect(left()).toEqual([]);
  expect(await outcomeOf(open(place, ours, "none"))).toThrow(/has schema version \d+, and/);
  await (await open(place, ours)).close();
  expect(left()).toHaveLength(1);
  await place.remove();
});
