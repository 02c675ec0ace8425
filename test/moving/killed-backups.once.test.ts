import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrateSqlite, readMigrations } from "../../db/migrate";
import { databaseFile } from "../../db/open";
import { openSqliteRows } from "../../db/sqlite-rows";
import { assetPath } from "../../src/core/assets";
import { openOutput } from "../../src/moving/backup/output";
import { scratchFolder } from "../support/scratch-folder";

/* A killed backup leaves its draft, and a copy of the database, in the folder of the backups. */

const daySeconds = 86_400;

function backups() {
  const folder = mkdtempSync(join(scratchFolder(), "chatd-killed-"));
  const agedBy = (seconds: number, ...path: string[]) => {
    const at = Date.now() / 1_000 - seconds;
    utimesSync(join(folder, ...path), at, at);
  };
  return {
    folder,
    agedBy,
    names: () => readdirSync(folder).sort(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test("a draft that nobody has written to for a day goes with the next backup of any name there", async () => {
  const { folder, agedBy, names, remove } = backups();
  const begin = async (name: string) => {
    const before = new Set(names());
    const output = await openOutput(join(folder, name));
    return { output, draft: names().filter((one) => !before.has(one))[0] ?? "" };
  };
  const left = await begin("chatd-2026-11-28.tar");
  const running = await begin("chatd-2026-11-29.tar");
  const notOurs = ["film.part", `${crypto.randomUUID()}.part`, `${left.draft}.copy`];
  for (const name of notOurs) writeFileSync(join(folder, name), "");
  const export_ = `readable.${crypto.randomUUID()}.part`;
  mkdirSync(join(folder, export_));
  for (const name of [left.draft, export_, ...notOurs]) agedBy(daySeconds + 60, name);
  agedBy(daySeconds - 60, running.draft);
  const next = await openOutput(join(folder, "chatd-2026-11-30.tar"));
  await next.keep();
  expect(names()).toEqual(["chatd-2026-11-30.tar", running.draft, export_, ...notOurs].sort());
  await running.output.keep();
  expect(names()).toContain("chatd-2026-11-29.tar");
  await left.output.discard();
  remove();
});

test("a copy of the database that nobody has written to for a day goes with the next one there", async () => {
  const { folder, agedBy, names, remove } = backups();
  const data = mkdtempSync(join(scratchFolder(), "chatd-killed-data-"));
  const migrations = readMigrations(assetPath("db", "migrations", "sqlite"));
  migrateSqlite(databaseFile(data), migrations, 1);
  const copies = [".chatd-copy-left01", ".chatd-copy-runs01", ".chatd-copy-of-mine"];
  for (const name of copies) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "chatd.db"), "a copy that is being written");
    if (name !== ".chatd-copy-runs01") agedBy(daySeconds + 60, name, "chatd.db");
    agedBy(daySeconds + 60, name);
  }
  const rows = openSqliteRows(databaseFile(data), folder, migrations);
  expect(names()).toEqual([".chatd-copy-of-mine", ".chatd-copy-runs01"]);
  await rows.close();
  rmSync(data, { recursive: true, force: true });
  remove();
});
