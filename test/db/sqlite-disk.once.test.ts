import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "bun";
import type { Engine } from "../../db/engine";
import { openEngine } from "../../db/open";
import { loadConfig } from "../../src/config/config";
import { assetPath } from "../../src/core/assets";
import { checkDatabase } from "../../src/moving/check/check";
import { notingHooks } from "../support/databases/storage";
import { outcomeOf } from "../support/outcome";
import { root } from "../support/root";

let folder: string;
let opened: Engine[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "chatd-disk-"));
  opened = [];
});

afterEach(async () => {
  for (const engine of opened) await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const dataFolder = () => join(folder, "data");

async function open(place = dataFolder()) {
  const { notes, hooks } = notingHooks();
  const migrationsFolder = assetPath("db", "migrations");
  const { engine } = await openEngine(
    { databaseUrl: undefined, dataFolder: place, migrationsFolder },
    hooks,
    1,
  );
  opened.push(engine);
  return { engine, notes };
}

/** Stores something; answers whether it was acknowledged. */
async function store(engine: Engine): Promise<boolean> {
  const row = { realmId: 1, type: "said", audience: "{}", body: "{}", createdAt: 1 };
  const written = engine.write(
    1,
    async ({ db, t }) => void (await db.insert(t.eventLog).values(row)),
    () => undefined,
  );
  return written.then(
    () => true,
    () => false,
  );
}

/** A process that stores so many rows in the folder, and ends without closing it. */
function storeAndDie(count: number) {
  const command = [
    "run",
    join(root, "test/crash/writing-process.ts"),
    dataFolder(),
    "1",
    String(count),
  ];
  spawnSync([process.execPath, ...command]);
}

const fatal = (notes: readonly string[]) => notes.filter((note) => note.startsWith("fatal"));

const disasters: [what: string, happen: () => void][] = [
  ["renamed", () => renameSync(dataFolder(), `${dataFolder()}-old`)],
  ["removed", () => rmSync(dataFolder(), { recursive: true })],
  [
    "replaced by a copy of itself",
    () => {
      cpSync(dataFolder(), `${dataFolder()}-copy`, { recursive: true });
      renameSync(dataFolder(), `${dataFolder()}-old`);
      renameSync(`${dataFolder()}-copy`, dataFolder());
    },
  ],
  ["there without the database's log", () => rmSync(join(dataFolder(), "chatd.db-wal"))],
  ["there without the database", () => rmSync(join(dataFolder(), "chatd.db"))],
];

test.each(disasters)(
  "nothing is acknowledged once the data folder is %s, and the server ends",
  async (_what, happen) => {
    const { engine, notes } = await open();
    expect([await store(engine), await store(engine), fatal(notes)]).toEqual([true, true, []]);
    happen();
    expect(await store(engine)).toBe(false);
    expect(fatal(notes).join()).toContain("chatd.db is not there any more, or is another file");
  },
);

test.each(disasters)(
  "a server that nobody writes to notices that the data folder is %s",
  async (_what, happen) => {
    const { engine, notes } = await open();
    engine.checkFilesInPlace();
    expect(fatal(notes)).toEqual([]);
    happen();
    engine.checkFilesInPlace();
    expect(fatal(notes)).toHaveLength(1);
  },
);

test("a database that is copied without its log while it is in use is told of when it is opened", async () => {
  storeAndDie(2);
  const copyOf = async (...names: string[]) => {
    const copy = mkdtempSync(join(folder, "copy-"));
    for (const name of names) cpSync(join(dataFolder(), name), join(copy, name));
    return open(copy);
  };
  expect((await copyOf("chatd.db", "chatd.db-wal")).notes).not.toContain("warn log_missing");
  expect((await copyOf("chatd.db")).notes).toContain("warn log_missing");
});

test("a check of a database without its log tells of it, as often as it is asked, and makes none", async () => {
  storeAndDie(2);
  const config = loadConfig({ data: dataFolder() });
  const check = async () =>
    (await checkDatabase(config, () => undefined)).findings.map(({ what }) => what);
  expect(await check()).toEqual([]);
  rmSync(join(dataFolder(), "chatd.db-wal"));
  for (let time = 0; time < 2; time += 1) {
    expect((await check()).join()).toContain("its log");
    expect(existsSync(join(dataFolder(), "chatd.db-wal"))).toBe(false);
  }
});

test("a database file that is a symbolic link is watched where it leads, and its log is taken over there", async () => {
  storeAndDie(3);
  const elsewhere = join(folder, "elsewhere");
  renameSync(dataFolder(), elsewhere);
  mkdirSync(dataFolder());
  symlinkSync(join(elsewhere, "chatd.db"), join(dataFolder(), "chatd.db"));
  const { engine, notes } = await open();
  expect(Bun.file(join(elsewhere, "chatd.db-wal")).size).toBe(0);
  expect(await store(engine)).toBe(true);
  rmSync(join(elsewhere, "chatd.db-wal"));
  expect([notes.filter((note) => note.startsWith("warn")), await store(engine)]).toEqual([
    [],
    false,
  ]);
});

test("neither a database that was closed in order nor one whose process was killed lacks its log", async () => {
  storeAndDie(2);
  expect(existsSync(join(dataFolder(), "chatd.db-wal"))).toBe(true);
  const killed = await open();
  await store(killed.engine);
  await killed.engine.close();
  rmSync(join(dataFolder(), "chatd.db-wal"), { force: true });
  const closed = await open();
  expect([...killed.notes, ...closed.notes]).not.toContain("warn log_missing");
});

test("what a killed process has left in the log is in the database itself before anything new is written", async () => {
  storeAndDie(3);
  const { engine } = await open();
  expect(Bun.file(join(dataFolder(), "chatd.db-wal")).size).toBe(0);
  expect(await engine.reader.db.select().from(engine.schema.eventLog)).toHaveLength(3);
});

test("after a failed disk nobody writes as long as another process reads what may not be there", async () => {
  storeAndDie(1);
  const { engine } = await open();
  writeFileSync(join(dataFolder(), "chatd.db-failed"), "");
  expect(await outcomeOf(open())).toThrow("still has that file open");
  await engine.close();
});

/** Lets so many microtasks pass. */
async function passMicrotasks(count: number) {
  for (let passed = 0; passed < count; passed += 1) await undefined;
}

test("snapshots that begin at any moment around a commit neither stop the writes after it nor end the server", async () => {
  const { engine, notes } = await open();
  const snapshots: Promise<unknown>[] = [];
  const snapshotSoon = async (microtasks: number) => {
    await passMicrotasks(microtasks);
    await engine.snapshot(async ({ db, t }) => {
      await db.select().from(t.eventLog).limit(1);
      await passMicrotasks(50);
    });
  };
  for (let microtasks = 0; microtasks < 60; microtasks += 1) {
    const row = { realmId: 1, type: "said", audience: "{}", body: "{}", createdAt: 1 };
    const run: Parameters<Engine["write"]>[1] = async ({ db, t }) => {
      snapshots.push(snapshotSoon(microtasks));
      await db.insert(t.eventLog).values(row);
    };
    await engine.write(1, run, () => undefined);
  }
  await Promise.all(snapshots);
  expect(await store(engine)).toBe(true);
  expect(notes.filter((note) => note !== "flushed")).toEqual([]);
});

test("what goes wrong after a commit fails the writes of that commit, not those after it", async () => {
  const { hooks } = notingHooks();
  const failing = {
    ...hooks,
    warn: () => {
      throw new Error("The log is full.");
    },
  };
  const migrationsFolder = assetPath("db", "migrations");
  const place = { databaseUrl: undefined, dataFolder: dataFolder(), migrationsFolder };
  const { engine } = await openEngine(place, failing, 1);
  opened.push(engine);
  const fail = () => {
    throw new Error("Whoever was to be told has failed.");
  };
  const settledBadly = engine.write(1, async () => undefined, fail);
  expect(await outcomeOf(settledBadly)).toThrow("The log is full.");
  await settledBadly.catch(() => undefined);
  expect(await store(engine)).toBe(true);
});

test("a damaged page that a write meets does not count as a failed disk at the next start", async () => {
  const first = await open();
  await store(first.engine);
  await first.engine.close();
  const path = join(dataFolder(), "chatd.db");
  const file = new Database(path);
  const [[page] = []] = file
    .query("SELECT rootpage FROM sqlite_schema WHERE name = 'event_log'")
    .values();
  file.close(true);
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, Buffer.alloc(4_096, 0x5a), 0, 4_096, (Number(page) - 1) * 4_096);
  closeSync(descriptor);
  const { engine, notes } = await open();
  expect(await store(engine)).toBe(false);
  expect(fatal(notes).join()).toContain("malformed");
  expect(existsSync(`${path}-failed`)).toBe(false);
});
