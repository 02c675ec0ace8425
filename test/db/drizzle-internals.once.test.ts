import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import {
  drizzleVersion,
  prepareSample,
  requireKnownDrizzle,
  requireKnownSample,
} from "../../db/drizzle-internals";
import type { Engine } from "../../db/engine";
import { migrateSqlite, readMigrations } from "../../db/migrate";
import { databaseFile } from "../../db/open";
import type { Database } from "../../db/reader";
import { openSqlite } from "../../db/sqlite";
import { assetPath } from "../../src/core/assets";
import { notingHooks } from "../support/databases/storage";
import { root } from "../support/root";

let folder: string;
let engine: Engine;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "chatd-drizzle-"));
  const file = databaseFile(folder);
  migrateSqlite(file, readMigrations(assetPath("db", "migrations", "sqlite")), 1);
  engine = openSqlite(file, notingHooks().hooks);
});

afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const databases = {
  sqlite: () => engine.reader.db,
  postgres: () => drizzle.mock() as unknown as Database,
};

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));

test("package.json pins the version of drizzle that its internals are known of", () => {
  const pinned = readJson("package.json").dependencies["drizzle-orm"];
  const installed = readJson("node_modules/drizzle-orm/package.json").version;
  expect([pinned, installed]).toEqual([drizzleVersion, drizzleVersion]);
});

test("A server looks at drizzle each time that it opens a database, until drizzle is as it knows it", () => {
  let lookedCount = 0;
  const openWith = (database: () => Database) =>
    requireKnownDrizzle("postgres", () => {
      lookedCount += 1;
      return database();
    });
  for (const count of [1, 2]) {
    expect(() => openWith(databases.sqlite)).toThrow("`queryString` of a prepared query");
    expect(lookedCount).toBe(count);
  }
  openWith(databases.postgres);
  openWith(databases.postgres);
  expect(lookedCount).toBe(3);
});

/** Names of parts of a prepared query, with what the start says where it misses them. */
const parts = {
  sqlite: { executeMethod: "`executeMethod`", query: "`query.sql`", stmt: "`stmt`" },
  postgres: { queryString: "`queryString`", params: "`params`" },
  both: {
    fields: "`fields`",
    joinsNotNullableMap: "`joinsNotNullableMap`",
    customResultMapper: "`customResultMapper`",
  },
};

describe.each(["sqlite", "postgres"] as const)("a server on %s", (dialect) => {
  test("starts with the drizzle that is installed", () => {
    requireKnownSample(dialect, prepareSample(dialect, databases[dialect]()));
  });

  test.each(Object.entries({ ...parts[dialect], ...parts.both }))(
    "does not start where prepared queries have no %s",
    (missing, named) => {
      const sample: Record<string, unknown> = {
        ...Object(prepareSample(dialect, databases[dialect]())),
      };
      delete sample[missing];
      expect(() => requireKnownSample(dialect, sample)).toThrow(
        `drizzle-orm does not work inside as its version ${drizzleVersion} does: ${named} of a prepared query`,
      );
    },
  );

  test("does not start where columns tell in another way how they are decoded", () => {
    const sample = Object(prepareSample(dialect, databases[dialect]()));
    const fields = sample.fields.map(({ path }: { path: string[] }, at: number) => ({
      path,
      field: at === 0 ? sample.fields[0].field : { decode: Number },
    }));
    expect(() => requireKnownSample(dialect, { ...sample, fields })).toThrow("the decoder");
  });
});
