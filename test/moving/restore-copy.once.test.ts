import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { copySqlite, migrateSqlite, readMigrations } from "../../db/migrate";
import { databaseFile } from "../../db/open";
import { DataInUseError } from "../../db/stored-rows";
import { loadConfig } from "../../src/config/config";
import { assetPath } from "../../src/core/assets";
import { restoreFile } from "../../src/moving/backup/restore-file";
import { outcomeOf } from "../support/outcome";
import { scratchFolder } from "../support/scratch-folder";

/* A copy of a SQLite database takes the place of the database, beside servers that start. */

const now = 1_764_230_400;

/** Data with one organization, called New, and a copy in which it is called Old. */
function copied() {
  const folder = mkdtempSync(join(scratchFolder(), "chatd-restore-"));
  const path = databaseFile(folder);
  migrateSqlite(path, readMigrations(assetPath("db", "migrations", "sqlite")), 1);
  const run = (sql: string) => {
    const file = new Database(path);
    const rows = file.query(sql).values();
    file.close();
    return rows;
  };
  run("INSERT INTO realms (host, uuid, name, created_at) VALUES ('localhost', 'u', 'Old', 1)");
  const copy = copySqlite(path, now);
  run("UPDATE realms SET name = 'New'");
  const config = loadConfig({ data: folder }, undefined, {});
  return {
    folder,
    path,
    copy,
    marker: join(folder, "restore-unfinished"),
    name: () => run("SELECT name FROM realms")[0]?.[0],
    remove: () => rmSync(folder, { recursive: true, force: true }),
    restore: () => restoreFile(config, copy, { replaces: true, now }),
  };
}

test("a copy is refused where a server has opened the data since it was asked first", async () => {
  const { folder, path, marker, name, restore, remove } = copied();
  let isSettled = false;
  const outcome = restore()
    .catch((error: unknown) => error)
    .finally(() => {
      isSettled = true;
    });
  const isStaged = () => readdirSync(folder).some((one) => one.startsWith("restoring-"));
  while (!isSettled && !isStaged()) await new Promise((resolve) => setImmediate(resolve));
  const server = new Database(path);
  server.query("SELECT count(*) FROM chatd_schema").get();
  expect(await outcome).toBeInstanceOf(DataInUseError);
  server.run("UPDATE realms SET name = 'Newest'");
  server.close();
  expect([name(), existsSync(marker)]).toEqual(["Newest", false]);
  expect(readdirSync(folder).filter((one) => one.startsWith("before-restore-"))).toEqual([]);
  remove();
});

test("a restore of a copy does not pass for the end of a restore of a whole backup that was cut off", async () => {
  const { marker, name, restore, remove } = copied();
  for (const content of ["", "all"]) {
    writeFileSync(marker, content);
    expect(await outcomeOf(restore())).toThrow("a whole backup into");
    expect(readFileSync(marker, "utf8")).toBe(content);
  }
  expect(name()).toBe("New");
  remove();
});

test("a restore of a copy is done again where it was cut off itself", async () => {
  const { marker, name, restore, remove } = copied();
  writeFileSync(marker, "rows");
  await restore();
  expect([name(), existsSync(marker)]).toEqual(["Old", false]);
  remove();
});

test("a folder that holds something else too stays open, and the restored database is closed", async () => {
  const { folder, path, copy, restore, remove } = copied();
  chmodSync(copy, 0o644);
  writeFileSync(join(folder, "index.html"), "a page of another program");
  chmodSync(folder, 0o755);
  const { aside } = await restore();
  const modes = [folder, path, aside ?? ""].map((one) => statSync(one).mode & 0o777);
  expect(modes).toEqual([0o755, 0o600, 0o700]);
  remove();
});

test("a folder of chatd alone is closed to others", async () => {
  const { folder, restore, remove } = copied();
  chmodSync(folder, 0o755);
  await restore();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  remove();
});
