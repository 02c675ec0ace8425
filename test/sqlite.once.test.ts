import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrateSqlite, NewerSchemaError, openMigrated, readMigrations, readWholeSchema } from "../db/migrate";
import { databaseFile } from "../db/open";
import { openSqlite } from "../db/sqlite";
import { WriteLeakError } from "../db/sqlite-group";
import { assetPath } from "../src/core/assets";
import { notingHooks } from "./support/storage";

let folder: string;
const migrations = readMigrations(assetPath("db", "migrations", "sqlite"));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chatd-sqlite-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => databaseFile(folder);

test("a write that awaits something other than the database is undone and reported, and its transaction is closed", async () => {
  migrateSqlite(file(), migrations, 1);
  const { notes, hooks } = notingHooks();
  const engine = openSqlite(file(), hooks);
  let late: unknown;
  const leaking = engine.write(
    1,
    async ({ db, t }) => {
      const row = { realmId: 1, type: "leaked", audience: "{}", body: "{}", createdAt: 1 };
      await db.insert(t.eventLog).values(row);
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
    () => undefined,
  );
  expect(leaking).rejects.toThrow(WriteLeakError);
  const kept = await engine.write(
    1,
    async () => "kept",
    () => undefined,
  );
  expect(kept).toBe("kept");
  await engine.write(
    1,
    async (tx) => {
      late = tx;
    },
    () => undefined,
  );
  expect(() => (late as { db: unknown }).db).toThrow(WriteLeakError);
  expect(await engine.reader.db.select().from(engine.schema.eventLog)).toEqual([]);
  expect(notes).toContain("warn write_leaked");
  await engine.close();
});

/** All that a file holds of its schema, and which steps it knows of. */
function describe(path: string): unknown[] {
  const opened = new Database(path);
  const made = opened.query("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
  const versions = opened.query("SELECT version, name FROM chatd_schema ORDER BY version").all();
  opened.close();
  return [...made, ...versions];
}

test("a new file gets at once what the migrations lead to", () => {
  const stepwise = join(folder, "stepwise.db");
  migrateSqlite(stepwise, migrations, 1);
  const whole = readWholeSchema(assetPath("db", "migrations", "sqlite"));
  const migrated = openMigrated(file(), migrations, 1, (result) => result, whole);
  expect([whole.version, migrated]).toMatchObject([migrations.length, { from: 0, to: migrations.length }]);
  expect(describe(file())).toEqual(describe(stepwise));
});

test("inside a write the outer reader refuses to work", async () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const attempt = engine.write(
    1,
    async () => engine.reader.db.select().from(engine.schema.realms),
    () => undefined,
  );
  expect(attempt).rejects.toThrow("read with its transaction");
  await engine.close();
});

test("the reader outside a write cannot write", async () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const { db, t } = engine.reader;
  expect(async () => db.delete(t.realms)).toThrow("readonly");
  await engine.close();
});

test("a write waits for another process to finish its own", async () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const other = new Database(file());
  other.run("BEGIN IMMEDIATE");
  const waiting = engine.write(
    1,
    async () => "done",
    () => undefined,
  );
  setTimeout(() => other.run("COMMIT"), 20);
  expect(await waiting).toBe("done");
  other.close();
  await engine.close();
});

test("the file is in WAL mode, and the writer waits for the disk at each commit", () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const probe = new Database(file());
  expect(probe.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  expect(probe.query("PRAGMA synchronous").get()).toEqual({ synchronous: 2 });
  probe.close();
  return engine.close();
});

test("a schema newer than this chatd knows is refused, and nothing is changed", () => {
  migrateSqlite(file(), migrations, 1);
  const newer = new Database(file());
  newer.run("INSERT INTO chatd_schema VALUES (99, 'from the future', 1)");
  newer.close();
  expect(() => migrateSqlite(file(), migrations, 2)).toThrow(NewerSchemaError);
});

/** The real steps with one more, as a later version of chatd would have them. */
function laterMigrations() {
  const later = join(folder, "later");
  mkdirSync(later);
  cpSync(assetPath("db", "migrations", "sqlite"), later, { recursive: true });
  const number = String(migrations.length).padStart(4, "0");
  writeFileSync(join(later, `${number}_later.sql`), "ALTER TABLE realms ADD COLUMN motto text;");
  return readMigrations(later);
}

test("a file with data is copied aside before it is migrated, and keeps its data", () => {
  migrateSqlite(file(), migrations, 1);
  const old = new Database(file());
  old.run("INSERT INTO realms (host, uuid, name, created_at) VALUES ('localhost', 'u', 'Acme', 1)");
  old.close();
  const { from, to, copy } = migrateSqlite(file(), laterMigrations(), 2);
  expect({ from, to }).toEqual({ from: migrations.length, to: migrations.length + 1 });
  expect(copy !== undefined && existsSync(copy)).toBe(true);
  const now = new Database(file());
  expect(now.query("SELECT name, motto FROM realms").get()).toEqual({ name: "Acme", motto: null });
  now.close();
});

test("a migration that fails leaves the old schema as it was", () => {
  migrateSqlite(file(), migrations, 1);
  const broken = [
    ...migrations,
    { version: migrations.length + 1, name: "broken", statements: ["CREATE TABLE x (a)", "NONSENSE"] },
  ];
  expect(() => migrateSqlite(file(), broken, 2)).toThrow();
  const after = new Database(file());
  expect(after.query("SELECT name FROM sqlite_master WHERE name = 'x'").get()).toBeNull();
  after.close();
});
