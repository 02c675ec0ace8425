import { Database as SqliteFile, type Statement } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { requireKnownDrizzle } from "./drizzle-internals";
import {
  type Engine,
  type EngineHooks,
  makeJob,
  type WriteJob,
  writesPerCommitMax,
} from "./engine";
import { noteWrites } from "./logged-changes";
import type { Database } from "./reader";
import { schemaOf } from "./schema";
import { markClosed, markInUse, noteFailedDisk } from "./settle-log";
import { errorCode } from "./sqlite-error";
import { type GroupStore, othersDone, reportIfFatal, runGroup } from "./sqlite-group";
import { watchPlace } from "./sqlite-place";
import { openReading, type SqliteReading } from "./sqlite-reading";
import { sizeOf, type WalWatch, watchWal } from "./wal";

/**
 * Time that a write waits for another process to finish its own write, and the time between two
 * attempts.
 */
const busyLimitMilliseconds = 10_000;
const busyRetryMilliseconds = 3;
/** Number of turns of the event loop that a group of writes waits for more writes. */
const gatherTurnsMax = 4;
/**
 * Milliseconds that a turn may take, and those for each request in it, so that a group waits for
 * another turn. Turns that take longer have pieces of long work in them.
 */
const gatherMilliseconds = 2;
const gatherMillisecondsPerRequest = 0.5;
/** Milliseconds after which a group waits for no further turn. */
const gatherMillisecondsMax = 10;

/**
 * Oldest allowed version of SQLite. Earlier versions could corrupt a WAL file when two connections
 * wrote and checkpointed at once.
 */
const sqliteVersionMin = [3, 51, 3];

type Prepared = Record<
  "begin" | "commit" | "savepoint" | "release" | "rollBackTo" | "dataVersion" | "logHead",
  Statement
>;

interface SqliteStore extends GroupStore {
  /**
   * The writing connection for drizzle. It is one object while the file is open, because prepared
   * statements belong to it.
   */
  database: Database;
  queue: WriteJob[];
  /** Whether writes wait until the writing connection is free of snapshots. */
  isWriteWaiting: boolean;
  running: Promise<void> | undefined;
  /** Prepared statements that every group of writes needs. */
  prepared: Prepared;
  dataVersion: number;
  /**
   * Whether this process has checked in this turn of the event loop if other processes have
   * written, and how often a check was requested.
   */
  hasChecked: boolean;
  checkCount: number;
  /** Number of commits that this process knows, including those of other processes. */
  version: number;
  /**
   * The version of the last commit of another process, and of the last commit that changed each
   * table.
   */
  changedElsewhereAt: number;
  changedAt: Map<string, number>;
  reading: SqliteReading;
}

/**
 * Opens an existing, migrated database file: one writing connection and two that can only read.
 * `isAlone`: whether no other process has it open, by `settleLog`.
 */
export function openSqlite(path: string, given: EngineHooks, isAlone = false): Engine {
  const hooks = notingFailures(path, given);
  const schema = schemaOf("sqlite");
  const writer = openWriter(path);
  if (isAlone) markInUse(writer);
  const requireInPlace = watchPlace(path);
  const database = drizzle(writer);
  requireKnownDrizzle("sqlite", () => database);
  const changeOf = (tables: readonly string[]) => changeOfTables(store, tables);
  const reading = openReading({
    path,
    writer,
    database,
    schema,
    dataState: { engine: writer, version: () => store.version, changeOf },
    seesWhatIsKnown: () => readDataVersion(store) === store.dataVersion,
    isInWrite: () => store.inWrite,
    isWriteWaiting: () => store.isWriteWaiting,
  });
  const wal: WalWatch = watchWal(path, writer, hooks);
  const store: SqliteStore = {
    writer,
    database,
    schema,
    hooks,
    reading,
    queue: [],
    inWrite: false,
    isWriteWaiting: false,
    running: undefined,
    dataVersion: 0,
    version: 0,
    hasChecked: false,
    checkCount: 0,
    changedElsewhereAt: 0,
    changedAt: new Map(),
    noting: noteWrites(database, (change) => store.note(change)),
    note: () => undefined,
    prepared: prepareStatements(writer),
    begin: () => begin(store),
    requireInPlace,
    committed: (tables) => {
      store.version += 1;
      for (const table of tables) store.changedAt.set(table, store.version);
      wal.committed();
    },
  };
  store.dataVersion = readDataVersion(store);
  return engineOn(store, path, async () => {
    while (store.running) await store.running;
    await reading.settled();
    reading.close();
    if (isAlone) closeInOrder(writer, hooks);
    wal.writeBack();
    writer.close();
  });
}

function engineOn(store: SqliteStore, path: string, close: Engine["close"]): Engine {
  const { schema, reading } = store;
  return {
    dialect: "sqlite",
    isRemote: false,
    schema,
    reader: reading.reader,
    quickReader: reading.reader,
    openReader: () => reading.reader,
    write: (realmId, run, settled) => {
      const { job, done } = makeJob(realmId, run, settled);
      store.queue.push(job);
      store.running ??= runQueue(store);
      return done;
    },
    snapshot: (run) => reading.snapshot(run),
    isAway: () => false,
    checkForOtherWrites: () => checkForOtherWrites(store),
    checkFilesInPlace: () => checkFilesInPlace(store),
    announce: () => undefined,
    broadcast: undefined,
    readClock: undefined,
    listStaleStatistics: undefined,
    figures: () => ({
      writesWaiting: store.queue.length,
      files: { databaseBytes: sizeOf(path), logBytes: sizeOf(`${path}-wal`) },
      pools: [],
    }),
    close,
  };
}

function checkFilesInPlace({ requireInPlace, hooks }: SqliteStore) {
  try {
    requireInPlace();
  } catch (error) {
    hooks.fatal(error);
  }
}

/**
 * Hooks that note a failure of the disk, because the next start must know of it. A damaged page
 * alone is not a failure of the disk.
 */
const notingFailures = (path: string, hooks: EngineHooks): EngineHooks => ({
  ...hooks,
  fatal(error) {
    if (errorCode(error).startsWith("SQLITE_IOERR")) noteFailedDisk(path);
    hooks.fatal(error);
  },
});

/**
 * Closes the file with its mark removed. If the mark cannot be removed, the server still ends
 * properly, because the mark only concerns the log.
 */
function closeInOrder(writer: SqliteFile, hooks: EngineHooks) {
  try {
    markClosed(writer);
  } catch (error) {
    reportIfFatal(hooks, error);
  }
}

function openWriter(path: string): SqliteFile {
  const file = new SqliteFile(path, { create: true, readwrite: true });
  file.run("PRAGMA busy_timeout = 5000");
  requireSafeVersion(file);
  file.run("PRAGMA journal_mode = WAL");
  file.run("PRAGMA synchronous = FULL");
  file.run("PRAGMA cache_size = -16000");
  // Automatic checkpoints are off, because SQLite would not report their errors.
  file.run("PRAGMA wal_autocheckpoint = 0");
  file.run("PRAGMA busy_timeout = 0");
  return file;
}

const prepareStatements = (writer: SqliteFile): Prepared => ({
  begin: writer.prepare("BEGIN IMMEDIATE"),
  commit: writer.prepare("COMMIT"),
  savepoint: writer.prepare("SAVEPOINT job"),
  release: writer.prepare("RELEASE job"),
  rollBackTo: writer.prepare("ROLLBACK TO job"),
  dataVersion: writer.prepare("PRAGMA data_version"),
  logHead: writer.prepare("SELECT max(id) FROM event_log WHERE realm_id = +?"),
});

function requireSafeVersion(file: SqliteFile) {
  const row = file.query("SELECT sqlite_version() AS version").get() as { version: string };
  const parts = row.version.split(".").map(Number);
  const firstDifference = sqliteVersionMin.findIndex((least, i) => parts[i] !== least);
  if (
    firstDifference >= 0 &&
    (parts[firstDifference] ?? 0) < (sqliteVersionMin[firstDifference] ?? 0)
  ) {
    throw new Error(
      `SQLite ${row.version} can corrupt its log; ${sqliteVersionMin.join(".")} or newer is needed.`,
    );
  }
}

function readDataVersion({ prepared }: SqliteStore): number {
  const [[version = 0] = []] = prepared.dataVersion.values();
  return Number(version);
}

/**
 * Checks whether another process has written, once for all requests that arrive in one turn of the
 * event loop, because they were sent before the check.
 */
function checkForOtherWrites(store: SqliteStore) {
  store.checkCount += 1;
  if (store.hasChecked) return;
  store.hasChecked = true;
  setImmediate(() => {
    store.hasChecked = false;
  });
  const version = readDataVersion(store);
  if (version === store.dataVersion) return;
  store.dataVersion = version;
  store.version += 1;
  store.changedElsewhereAt = store.version;
  store.hooks.changedElsewhere();
}

function changeOfTables(
  { changedElsewhereAt, changedAt }: SqliteStore,
  tables: readonly string[],
): number {
  let newest = changedElsewhereAt;
  for (const table of tables) newest = Math.max(newest, changedAt.get(table) ?? 0);
  return newest;
}

/**
 * Waits until several writes can share a commit. While requests keep coming, further writes usually
 * follow, and a server with other requests to answer loses nothing by waiting: in a mixed load 42
 * instead of 28 requests share a commit. Where turns are long, and not because they have many
 * requests, pieces of long work run in them, and waiting would take longer than it saves.
 */
async function gather(store: SqliteStore) {
  const { milliseconds } = store.hooks;
  const beganAt = milliseconds();
  let turnBeganAt = beganAt;
  let seen = store.checkCount + store.queue.length;
  for (let turn = 0; turn < gatherTurnsMax; turn += 1) {
    // In the first turn the callers whose writes were just answered continue, because otherwise
    // their reads would wait for the next write.
    await othersDone();
    const now = milliseconds();
    const count = store.checkCount + store.queue.length;
    const arrived = count - seen;
    if (arrived === 0) return;
    if (now - beganAt >= gatherMillisecondsMax) return;
    if (now - turnBeganAt > gatherMilliseconds + arrived * gatherMillisecondsPerRequest) return;
    turnBeganAt = now;
    seen = count;
  }
}

/**
 * Runs the queued writes, one group at a time. Writes that arrive during a commit form the next
 * group.
 */
async function runQueue(store: SqliteStore) {
  while (store.queue.length > 0) {
    await gather(store);
    const jobs = store.queue.splice(0, writesPerCommitMax);
    try {
      const refusal = await begin(store);
      if (refusal) throw refusal;
      await runGroup(store, jobs);
    } catch (error) {
      // This has no effect on jobs that were already answered. Later writes continue.
      for (const job of jobs) job.reject(error);
    }
  }
  store.running = undefined;
}

/**
 * Takes the write lock. It never waits inside SQLite, because that would block every request. It
 * first waits for a snapshot on this connection.
 */
async function begin(store: SqliteStore): Promise<unknown> {
  for (let waited = 0; ; waited += busyRetryMilliseconds) {
    store.isWriteWaiting = true;
    while (store.reading.isOnWriter()) {
      await store.reading.leftWriter();
      await othersDone();
    }
    store.isWriteWaiting = false;
    store.reading.leaveWriter();
    try {
      store.prepared.begin.run();
      return undefined;
    } catch (error) {
      const isBusy = errorCode(error).startsWith("SQLITE_BUSY");
      if (!isBusy || waited >= busyLimitMilliseconds) return reportIfFatal(store.hooks, error);
    }
    await new Promise((resolve) => setTimeout(resolve, busyRetryMilliseconds));
  }
}
