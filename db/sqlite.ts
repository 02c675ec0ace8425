import { Database as SqliteFile, type Statement } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import {
  type Engine,
  type EngineHooks,
  makeJob,
  settle,
  type Transaction,
  type WriteJob,
  writesPerCommitMax,
} from "./engine";
import type { Database } from "./reader";
import { makeSchema, type Schema } from "./schema";
import { openReading, type SqliteReading } from "./sqlite-reading";
import { type WalWatch, watchWal } from "./wal";
import { noteWrites } from "./written";

/** How long a write waits for another process to finish its own, and how often it looks. */
const busyLimitMilliseconds = 10_000;
const busyRetryMilliseconds = 3;

/** Versions before this one could corrupt a WAL file when two connections wrote and checkpointed at once. */
const sqliteVersionMin = [3, 51, 3];

export class WriteLeakError extends Error {
  constructor() {
    super("A write awaited something other than the database; it was undone.");
    this.name = "WriteLeakError";
  }
}

interface SqliteStore {
  writer: SqliteFile;
  /** The writer as drizzle sees it; the same one always, because prepared statements belong to it. */
  database: Database;
  /** The same for writes: it notes the tables that they change. */
  noting: Database;
  /** The tables that the write which is being run has changed. */
  written: Set<string>;
  schema: Schema;
  hooks: EngineHooks;
  queue: WriteJob[];
  /** The transaction that is being run, if any: outside readers must not be used from inside it. */
  inWrite: boolean;
  running: Promise<void> | undefined;
  /** Statements that every group of writes needs. */
  prepared: Record<"begin" | "commit" | "savepoint" | "release" | "rollBackTo" | "dataVersion" | "logHead", Statement>;
  dataVersion: number;
  /** Counts the commits that are known here, of this process and of others. */
  version: number;
  wal: WalWatch;
  reading: SqliteReading;
}

/** Opens an existing, migrated database file: one writing connection and one that can only read. */
export function openSqlite(path: string, hooks: EngineHooks): Engine {
  const schema = makeSchema("sqlite");
  const writer = openWriter(path);
  const database = drizzle(writer);
  const reading = openReading({
    ...{ path, writer, database, schema },
    standpoint: { engine: writer, version: () => store.version, isComplete: true },
    isInWrite: () => store.inWrite,
  });
  const store: SqliteStore = {
    ...{ writer, database, schema, hooks, reading, queue: [], inWrite: false, running: undefined, dataVersion: 0 },
    noting: noteWrites(database, (table) => store.written.add(table)),
    written: new Set(),
    version: 0,
    prepared: prepareStatements(writer),
    wal: watchWal(path, writer, hooks),
  };
  store.dataVersion = readDataVersion(store);
  return {
    dialect: "sqlite",
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
    lookElsewhere: () => lookElsewhere(store),
    announce: () => undefined,
    broadcast: () => undefined,
    close: async () => {
      while (store.running) await store.running;
      await reading.settled();
      reading.close();
      writer.close();
    },
  };
}

function openWriter(path: string): SqliteFile {
  const file = new SqliteFile(path, { create: true, readwrite: true });
  file.run("PRAGMA busy_timeout = 5000");
  requireSafeVersion(file);
  file.run("PRAGMA journal_mode = WAL");
  file.run("PRAGMA synchronous = FULL");
  file.run("PRAGMA cache_size = -16000");
  file.run("PRAGMA busy_timeout = 0");
  return file;
}

const prepareStatements = (writer: SqliteFile) => ({
  begin: writer.prepare("BEGIN IMMEDIATE"),
  commit: writer.prepare("COMMIT"),
  savepoint: writer.prepare("SAVEPOINT job"),
  release: writer.prepare("RELEASE job"),
  rollBackTo: writer.prepare("ROLLBACK TO job"),
  dataVersion: writer.prepare("PRAGMA data_version"),
  logHead: writer.prepare("SELECT max(id) FROM event_log WHERE realm_id = ?"),
});

function requireSafeVersion(file: SqliteFile) {
  const row = file.query("SELECT sqlite_version() AS version").get() as { version: string };
  const parts = row.version.split(".").map(Number);
  const firstDifference = sqliteVersionMin.findIndex((least, i) => parts[i] !== least);
  if (firstDifference >= 0 && (parts[firstDifference] ?? 0) < (sqliteVersionMin[firstDifference] ?? 0)) {
    throw new Error(`SQLite ${row.version} can corrupt its log; ${sqliteVersionMin.join(".")} or newer is needed.`);
  }
}

function readDataVersion({ prepared }: SqliteStore): number {
  const [[version = 0] = []] = prepared.dataVersion.values();
  return Number(version);
}

function lookElsewhere(store: SqliteStore) {
  const version = readDataVersion(store);
  if (version === store.dataVersion) return;
  store.dataVersion = version;
  store.version += 1;
  store.hooks.changedElsewhere();
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Works the queue off, a group of writes at a time: what arrives during a commit forms the next group. */
async function runQueue(store: SqliteStore) {
  while (store.queue.length > 0) {
    await nextTurn();
    const jobs = store.queue.splice(0, writesPerCommitMax);
    const error = await begin(store);
    if (error) {
      for (const job of jobs) job.reject(error);
      continue;
    }
    await runGroup(store, jobs);
  }
  store.running = undefined;
}

/**
 * Takes the write lock without ever waiting inside SQLite, which would stop every request. A snapshot that is being read on
 * this connection comes first.
 */
async function begin(store: SqliteStore): Promise<unknown> {
  for (let waited = 0; ; waited += busyRetryMilliseconds) {
    while (store.reading.isOnWriter()) await store.reading.settled();
    try {
      store.prepared.begin.run();
      return undefined;
    } catch (error) {
      const isBusy = errorCode(error).startsWith("SQLITE_BUSY");
      if (!isBusy || waited >= busyLimitMilliseconds) return reportIfFatal(store, error);
    }
    await new Promise((resolve) => setTimeout(resolve, busyRetryMilliseconds));
  }
}

async function runGroup(store: SqliteStore, jobs: WriteJob[]) {
  const heads = new Map<number, number>();
  const done: { job: WriteJob; value: unknown }[] = [];
  const refused: { job: WriteJob; error: unknown }[] = [];
  const watch = watchForLeaks();
  try {
    for (const job of jobs) {
      if (!heads.has(job.realmId)) heads.set(job.realmId, readLogHead(store, job.realmId));
      const outcome = await runJob(store, job, watch.leaked);
      if ("error" in outcome) refused.push({ job, error: outcome.error });
      else done.push({ job, value: outcome.value });
    }
    store.prepared.commit.run();
    store.version += 1;
  } catch (error) {
    rollBack(store);
    reportIfFatal(store, error);
    for (const job of jobs) job.reject(error);
    return;
  } finally {
    watch.end();
  }
  for (const { job, error } of refused) job.reject(error);
  for (const { job, value } of done) {
    settle(job, value, { realmId: job.realmId, logHeadBefore: heads.get(job.realmId) ?? 0 }, store.hooks);
  }
  for (const { job, value } of done) job.resolve(value);
  setImmediate(() => store.hooks.flushed());
  store.wal.committed();
}

function readLogHead(store: SqliteStore, realmId: number): number {
  const [[head] = []] = store.prepared.logHead.values(realmId);
  return Number(head ?? 0);
}

type Outcome = { value: unknown } | { error: unknown };

/** Runs one write in a savepoint. Once it is over its transaction refuses further use. */
async function runJob(store: SqliteStore, job: WriteJob, leaked: () => Promise<Outcome>): Promise<Outcome> {
  let isOpen = true;
  const deferred: Promise<unknown>[] = [];
  const written = new Set<string>();
  store.written = written;
  const tx: Transaction = {
    t: store.schema,
    dialect: "sqlite",
    written,
    noteWrite: (table) => written.add(table),
    get db() {
      if (!isOpen) throw new WriteLeakError();
      return store.noting;
    },
    defer: (statement) => void deferred.push(Promise.resolve(statement)),
  };
  store.prepared.savepoint.run();
  store.inWrite = true;
  const work = finish(job.run(tx), deferred);
  const outcome = await Promise.race([work, leaked()]);
  store.inWrite = false;
  isOpen = false;
  if ("error" in outcome) {
    store.prepared.rollBackTo.run();
    if (outcome.error instanceof WriteLeakError) store.hooks.warn("write_leaked", { realm: job.realmId });
    reportIfFatal(store, outcome.error);
  }
  store.prepared.release.run();
  return outcome;
}

async function finish(run: Promise<unknown>, deferred: Promise<unknown>[]): Promise<Outcome> {
  try {
    const value = await run;
    await Promise.all(deferred);
    return { value };
  } catch (error) {
    await Promise.allSettled(deferred);
    return { error };
  }
}

/**
 * Database calls settle within microtasks, so a write that is still open when the event loop turns has awaited something
 * else. One watch serves a whole group: `leaked` is answered when the loop turns before the write that asked is over.
 */
function watchForLeaks() {
  let current = Promise.withResolvers<Outcome>();
  let timer: NodeJS.Immediate;
  const look = () => {
    current.resolve({ error: new WriteLeakError() });
    current = Promise.withResolvers<Outcome>();
    timer = setImmediate(look);
  };
  timer = setImmediate(look);
  return { leaked: () => current.promise, end: () => clearImmediate(timer) };
}

function rollBack(store: SqliteStore) {
  try {
    if (store.writer.inTransaction) store.writer.run("ROLLBACK");
  } catch (error) {
    store.hooks.fatal(error);
  }
}

/** After a failed fsync SQLite and the disk may disagree about what is stored: nothing more may be written. */
function reportIfFatal(store: SqliteStore, error: unknown): unknown {
  const code = errorCode(error);
  if (code.startsWith("SQLITE_IOERR") || code.startsWith("SQLITE_CORRUPT")) store.hooks.fatal(error);
  return error;
}

function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error && error.cause !== undefined ? errorCode(error.cause) : "";
}
