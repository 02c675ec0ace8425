import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copySqlite, migrateSqlite, readMigrations } from "../../db/migrate";
import { databaseFile } from "../../db/open";
import { DataInUseError } from "../../db/stored-rows";
import { loadConfig } from "../../src/config";
import { restoreFile } from "../../src/moving/backup/restore-file";
import { freshPlace, testEngine } from "../support/storage";

/* A copy of a SQLite database takes the place of the database, beside servers that start. */

const now = 1_764_230_400;

/** Data with one organization, called New, and a copy in which it is called Old. */
async function copied() {
  const place = await freshPlace();
  const [folder, path] = [place.dataFolder, databaseFile(place.dataFolder)];
  migrateSqlite(path, readMigrations(join(place.migrationsFolder, "sqlite")), 1);
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
    place,
    folder,
    path,
    marker: join(folder, "restore-unfinished"),
    name: () => run("SELECT name FROM realms")[0]?.[0],
    restore: () => restoreFile(config, copy, { replaces: true, now }),
  };
}

describe.skipIf(testEngine !== "sqlite")("restore of a copy", () => {
  test("is refused where a server has opened the data since it was asked first", async () => {
    const { place, folder, path, marker, name, restore } = await copied();
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
    await place.remove();
  });

  test("does not pass for the end of a restore of a whole backup that was cut off", async () => {
    const { place, marker, name, restore } = await copied();
    for (const content of ["", "all"]) {
      writeFileSync(marker, content);
      await expect(restore()).rejects.toThrow("a whole backup into");
      expect(readFileSync(marker, "utf8")).toBe(content);
    }
    expect(name()).toBe("New");
    await place.remove();
  });

  test("is done again where it was cut off itself", async () => {
    const { place, marker, name, restore } = await copied();
    writeFileSync(marker, "rows");
    await restore();
    expect([name(), existsSync(marker)]).toEqual(["Old", false]);
    await place.remove();
  });
});
