import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  copySqlite,
  migrateSqlite,
  NewerSchemaError,
  readMigrations,
  readWholeSchema,
} from "../../db/migrate";
import { makeSqliteFile } from "../../db/new-sqlite-file";
import { databaseFile } from "../../db/open";
import { openSqlite } from "../../db/sqlite";
import { WriteLeakError } from "../../db/sqlite-group";
import { assetPath } from "../../src/core/assets";
import { notingHooks } from "../support/databases/storage";
import { outcomeOf } from "../support/outcome";

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
  const elsewhere = Promise.withResolvers<void>();
  let late: unknown;
  const leaking = engine.write(
    1,
    async ({ db, t }) => {
      const row = { realmId: 1, type: "leaked", audience: "{}", body: "{}", createdAt: 1 };
      await db.insert(t.eventLog).values(row);
      await elsewhere.promise;
    },
    () => undefined,
  );
  expect(await outcomeOf(leaking)).toThrow(WriteLeakError);
  elsewhere.resolve();
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

test("a write that pauses lets others read what was committed before, and a leak after that is still found", async () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const types = async () =>
    (await engine.reader.db.select().from(engine.schema.eventLog)).map(({ type }) => type);
  const begun = Promise.withResolvers<void>();
  const writeLong = async (then?: Promise<void>) =>
    engine.write(
      1,
      async ({ db, t, pause }) => {
        for (const type of ["first", "second"]) {
          const row = { realmId: 1, type, audience: "{}", body: "{}", createdAt: 1 };
          await db.insert(t.eventLog).values(row);
          begun.resolve();
          await pause?.();
        }
        await then;
      },
      () => undefined,
    );
  const written = writeLong();
  await begun.promise;
  // A snapshot that lasts longer than the write must not make others read what it sees.
  const ended = Promise.withResolvers<void>();
  const snapshot = engine.snapshot(async (reader) => {
    const before = await reader.db.select().from(engine.schema.eventLog);
    await ended.promise;
    return before;
  });
  expect(await types()).toEqual([]);
  await written;
  const leaking = writeLong(ended.promise);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await types()).toEqual(["first", "second"]);
  expect(await outcomeOf(leaking)).toThrow(WriteLeakError);
  ended.resolve();
  expect(await snapshot).toEqual([]);
  expect(await types()).toEqual(["first", "second"]);
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

const wholeSchema = () => {
  const whole = readWholeSchema(assetPath("db", "migrations", "sqlite"));
  if (!whole) throw new Error("make migrations has written no whole schema");
  return whole;
};

test("a new file gets at once what the migrations lead to, and what new data begins with", () => {
  const stepwise = join(folder, "stepwise.db");
  migrateSqlite(stepwise, migrations, 1);
  const whole = wholeSchema();
  const content = { migrations, whole, facts: { motto: "Be brief." }, now: 1 };
  expect([whole.version, makeSqliteFile(file(), content)]).toEqual([migrations.length, true]);
  expect(describe(file())).toEqual(describe(stepwise));
  const made = new Database(file());
  expect(made.query("SELECT name, value FROM server_facts").all()).toEqual([
    { name: "motto", value: "Be brief." },
  ]);
  expect(made.query("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  made.close();
});

test("of two processes that make the same file one does, and nothing else is left in the folder", () => {
  const whole = wholeSchema();
  const make = (motto: string) =>
    makeSqliteFile(file(), { migrations, whole, facts: { motto }, now: 1 });
  expect([make("first"), make("second")]).toEqual([true, false]);
  expect(readdirSync(folder)).toEqual(["chatd.db"]);
  const made = new Database(file());
  expect(made.query("SELECT value FROM server_facts").values()).toEqual([["first"]]);
  made.close();
});

test("a new file is not made beside the log of another one, and drafts of processes that have ended are removed", () => {
  const whole = wholeSchema();
  const make = () => makeSqliteFile(file(), { migrations, whole, facts: {}, now: 1 });
  writeFileSync(`${file()}-wal`, "what another database has not written yet");
  expect(make).toThrow(`put ${file()} back beside it, or move ${file()}-wal away`);
  expect(readdirSync(folder)).toEqual(["chatd.db-wal"]);
  rmSync(`${file()}-wal`);
  writeFileSync(`${file()}.new-1`, "a draft");
  writeFileSync(`${file()}.new-1-wal`, "its log");
  expect(make()).toBe(true);
  expect(readdirSync(folder)).toEqual(["chatd.db"]);
});

test("a new file that the disk does not take is an error that names it", () => {
  const whole = wholeSchema();
  const path = join(folder, "missing", "chatd.db");
  const make = () => makeSqliteFile(path, { migrations, whole, facts: {}, now: 1 });
  expect(make).toThrow(`The database ${path} cannot be made: ENOENT`);
});

test("inside a write the outer reader refuses to work", async () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const attempt = engine.write(
    1,
    async () => engine.reader.db.select().from(engine.schema.realms),
    () => undefined,
  );
  expect(await outcomeOf(attempt)).toThrow("read with its transaction");
  await engine.close();
});

test("the reader outside a write cannot write", async () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const { db, t } = engine.reader;
  expect(async () => db.delete(t.realms)).toThrow("readonly");
  await engine.close();
});

test("what is read in one turn of the event loop is of one moment, which ends with the turn or with a write", async () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const other = new Database(file());
  const row = { realmId: 1, type: "noted", audience: "{}", body: "{}", createdAt: 1 };
  const count = async () => (await engine.reader.db.select().from(engine.schema.eventLog)).length;
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const writeElsewhere = () =>
    other.run(
      "INSERT INTO event_log (realm_id, type, audience, body, created_at) VALUES (1, 'elsewhere', '{}', '{}', 1)",
    );
  await nextTurn();
  expect(await count()).toBe(0);
  writeElsewhere();
  expect([await count(), await engine.snapshot(count)]).toEqual([0, 0]);
  await nextTurn();
  expect([await count(), await engine.snapshot(count)]).toEqual([1, 1]);
  const written = engine.write(
    1,
    async ({ db, t }) => {
      await db.insert(t.eventLog).values(row);
    },
    () => undefined,
  );
  await Promise.all([written, engine.snapshot(count)]);
  expect([await count(), await engine.snapshot(count)]).toEqual([2, 2]);
  writeElsewhere();
  other.close();
  await nextTurn();
  expect(await count()).toBe(3);
  await engine.close();
});

/**
 * Sizes of the groups in which a write of each turn of the event loop is committed, where each turn
 * takes some milliseconds and has some requests.
 */
async function groupSizes(turnMilliseconds: number, requests: number): Promise<number[]> {
  let [now, turns] = [0, 0];
  const sizes: number[] = [];
  const committed = ({ writes }: { writes: number }) => void sizes.push(writes);
  const meter = { milliseconds: () => now, committed, wroteBack: () => undefined };
  const engine = openSqlite(file(), { ...notingHooks().hooks, milliseconds: () => now, meter });
  const written: Promise<unknown>[] = [];
  await new Promise<void>((resolve) => {
    const turn = () => {
      now += turnMilliseconds;
      turns += 1;
      if (turns === 12) resolve();
      else setImmediate(turn);
      for (let index = 0; index < requests; index += 1) engine.checkForOtherWrites();
      written.push(
        engine.write(
          1,
          async () => undefined,
          () => undefined,
        ),
      );
    };
    turn();
  });
  await Promise.all(written);
  await engine.close();
  return sizes;
}

test("writes of several turns share a commit if turns are short or have many requests", async () => {
  migrateSqlite(file(), migrations, 1);
  const short = await groupSizes(2, 1);
  const busy = await groupSizes(3, 12);
  const long = await groupSizes(4, 1);
  expect(Math.max(...short)).toBeGreaterThanOrEqual(4);
  expect(Math.max(...busy)).toBeGreaterThanOrEqual(4);
  expect(Math.max(...long)).toBeLessThanOrEqual(2);
});

test("a write waits for one turn however slow the machine is, because those who were just answered may read", async () => {
  migrateSqlite(file(), migrations, 1);
  let [now, turns, turnsBefore] = [0, 0, 0];
  const milliseconds = () => {
    now += 5;
    return now;
  };
  const engine = openSqlite(file(), { ...notingHooks().hooks, milliseconds });
  setImmediate(() => {
    turns += 1;
  });
  await engine.write(
    1,
    async () => {
      turnsBefore = turns;
    },
    () => undefined,
  );
  expect(turnsBefore).toBe(1);
  await engine.close();
});

test("a write begins though snapshots that last for several turns keep coming", async () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const count = 100;
  let [snapshots, snapshotsBefore] = [0, count];
  const readOn = async () => {
    while (snapshots < count) {
      snapshots += 1;
      await engine.snapshot(async ({ db, t }) => {
        await nextTurn();
        await db.select().from(t.eventLog);
      });
    }
  };
  const reading = [readOn(), readOn(), readOn()];
  await nextTurn();
  await engine.write(
    1,
    async () => undefined,
    () => undefined,
  );
  snapshotsBefore = snapshots;
  await Promise.all(reading);
  expect(snapshotsBefore).toBeLessThan(20);
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
    {
      version: migrations.length + 1,
      name: "broken",
      statements: ["CREATE TABLE x (a)", "NONSENSE"],
    },
  ];
  expect(() => migrateSqlite(file(), broken, 2)).toThrow();
  const after = new Database(file());
  expect(after.query("SELECT name FROM sqlite_master WHERE name = 'x'").get()).toBeNull();
  after.close();
});

test("a copy that cannot be finished leaves nothing behind", () => {
  migrateSqlite(file(), migrations, 1);
  const old = new Database(file());
  old.run("CREATE TABLE large (text text)");
  for (let row = 0; row < 100; row++) old.run("INSERT INTO large VALUES (hex(zeroblob(5000)))");
  old.run("PRAGMA wal_checkpoint(TRUNCATE)");
  old.close();
  // A damaged page in the last table ends the copy half-way, as a full disk does.
  const bytes = readFileSync(file());
  bytes.fill(0xff, bytes.length - 4096 * 50, bytes.length - 4096 * 10);
  writeFileSync(file(), bytes);
  expect(() => copySqlite(file(), 2)).toThrow(/malformed/);
  expect(readdirSync(dirname(file())).filter((name) => name.includes("before-schema"))).toEqual([]);
});

test("whoever has waited for a snapshot or a refused write reads on, while the next write begins", async () => {
  migrateSqlite(file(), migrations, 1);
  const engine = openSqlite(file(), notingHooks().hooks);
  const row = { realmId: 1, type: "noted", audience: "{}", body: "{}", createdAt: 1 };
  const ignore = () => undefined;
  const writeAndRead = () =>
    engine.write(
      1,
      async ({ db, t }) => {
        await db.insert(t.eventLog).values(row);
        for (let times = 0; times < 10; times++) await db.select().from(t.realms);
      },
      ignore,
    );
  const readAfter = async (work: Promise<unknown>, microtasks: number) => {
    await work.catch(ignore);
    for (let left = microtasks; left > 0; left--) await undefined;
    await engine.reader.db.select().from(engine.schema.realms);
  };
  for (let microtasks = 0; microtasks < 40; microtasks++) {
    const snapshot = engine.snapshot(() => new Promise((resolve) => setImmediate(resolve)));
    await Promise.all([readAfter(snapshot, microtasks), writeAndRead()]);
    const refused = engine.write(
      1,
      async ({ db, t }) => {
        await db.insert(t.eventLog).values(row);
        await new Promise((resolve) => setTimeout(resolve, 1));
      },
      ignore,
    );
    await Promise.all([readAfter(refused, microtasks), writeAndRead()]);
  }
  await engine.close();
});
