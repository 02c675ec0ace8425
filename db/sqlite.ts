import { Database as SqliteFile } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { type Engine, type EngineHooks, makeJob, type WriteJob, writesPerCommitMax } from "./engine";
import type { Database, Reader } from "./reader";
import { makeSchema, type Schema } from "./schema";

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
  schema: Schema;
  hooks: EngineHooks;
  queue: WriteJob[];
  /** The transaction that is being run, if any: outside readers must not be used from inside it. */
  inWrite: boolean;
  running: Promise<void> | undefined;
  dataVersion: number;
}

/** Opens an existing, migrated database file: one writing connection and two that can only read. */
export function openSqlite(path: string, hooks: EngineHooks): Engine {
  const schema = makeSchema("sqlite");
  const writer = openWriter(path);
  const store: SqliteStore = { writer, schema, hooks, queue: [], inWrite: false, running: undefined, dataVersion: 0 };
  store.dataVersion = readDataVersion(store);
  const readerFile = openReader(path);
  const snapshotFile = openReader(path);
  const snapshotReader = makeReader(drizzle(snapshotFile), schema);
  let lastSnapshot: Promise<unknown> = Promise.resolve();

  return {
    dialect: "sqlite",
    schema,
    reader: guardedReader(drizzle(readerFile), store),
    write: (realmId, run, settled) => {
      const { job, done } = makeJob(realmId, run, settled);
      store.queue.push(job);
      store.running ??= runQueue(store);
      return done;
    },
    snapshot: (run) => {
      const result = lastSnapshot.then(() => inSnapshot(snapshotFile, () => run(snapshotReader)));
      lastSnapshot = result.catch(() => undefined);
      return result;
    },
    lookElsewhere: () => lookElsewhere(store),
    announce: () => undefined,
    broadcast: () => undefined,
    close: async () => {
      while (store.running) await store.running;
      await lastSnapshot;
      for (const file of [readerFile, snapshotFile, writer]) file.close();
    },
  };
}

function openWriter(path: string): SqliteFile {
  const file = new SqliteFile(path, { create: true, readwrite: true });
  requireSafeVersion(file);
  file.run("PRAGMA busy_timeout = 5000");
  file.run("PRAGMA journal_mode = WAL");
  file.run("PRAGMA synchronous = FULL");
  file.run("PRAGMA cache_size = -16000");
  file.run("PRAGMA busy_timeout = 0");
  return file;
}

function openReader(path: string): SqliteFile {
  const file = new SqliteFile(path, { readonly: true });
  file.run("PRAGMA query_only = 1");
  file.run("PRAGMA busy_timeout = 100");
  return file;
}

function requireSafeVersion(file: SqliteFile) {
  const row = file.query("SELECT sqlite_version() AS version").get() as { version: string };
  const parts = row.version.split(".").map(Number);
  const firstDifference = sqliteVersionMin.findIndex((least, i) => parts[i] !== least);
  if (firstDifference >= 0 && (parts[firstDifference] ?? 0) < (sqliteVersionMin[firstDifference] ?? 0)) {
    throw new Error(`SQLite ${row.version} can corrupt its log; ${sqliteVersionMin.join(".")} or newer is needed.`);
  }
}

function makeReader(db: Database, t: Schema): Reader {
  return { db, t, dialect: "sqlite" };
}

/** The reader for use outside writes: inside one it would not see the write's own rows, so it refuses to work there. */
function guardedReader(db: Database, store: SqliteStore): Reader {
  return {
    t: store.schema,
    dialect: "sqlite",
    get db() {
      if (store.inWrite) throw new Error("Inside a write, read with its transaction.");
      return db;
    },
  };
}

function readDataVersion(store: SqliteStore): number {
  const row = store.writer.query("PRAGMA data_version").get() as { data_version: number };
  return row.data_version;
}

function lookElsewhere(store: SqliteStore) {
  const version = readDataVersion(store);
  if (version === store.dataVersion) return;
  store.dataVersion = version;
  store.hooks.changedElsewhere();
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Works the queue off, a group of writes at a time: what arrives during a commit forms the next group. */
async function runQueue(store: SqliteStore) {
  const database = drizzle(store.writer);
  while (store.queue.length > 0) {
    await nextTurn();
    const jobs = store.queue.splice(0, writesPerCommitMax);
    const error = await begin(store);
    if (error) {
      for (const job of jobs) job.reject(error);
      continue;
    }
    await runGroup(store, database, jobs);
  }
  store.running = undefined;
}

/** Takes the write lock without ever waiting inside SQLite, which would stop every request. */
async function begin(store: SqliteStore): Promise<unknown> {
  for (let waited = 0; ; waited += busyRetryMilliseconds) {
    try {
      store.writer.run("BEGIN IMMEDIATE");
      return undefined;
    } catch (error) {
      const isBusy = errorCode(error).startsWith("SQLITE_BUSY");
      if (!isBusy || waited >= busyLimitMilliseconds) return reportIfFatal(store, error);
    }
    await new Promise((resolve) => setTimeout(resolve, busyRetryMilliseconds));
  }
}

async function runGroup(store: SqliteStore, database: Database, jobs: WriteJob[]) {
  const heads = new Map<number, number>();
  const done: { job: WriteJob; value: unknown }[] = [];
  try {
    for (const job of jobs) {
      if (!heads.has(job.realmId)) heads.set(job.realmId, readLogHead(store, job.realmId));
      const outcome = await runJob(store, database, job);
      if ("error" in outcome) job.reject(outcome.error);
      else done.push({ job, value: outcome.value });
    }
    store.writer.run("COMMIT");
  } catch (error) {
    rollBack(store);
    reportIfFatal(store, error);
    for (const { job } of done) job.reject(error);
    for (const job of jobs) job.reject(error);
    return;
  }
  for (const { job, value } of done) {
    job.settled(value, { realmId: job.realmId, logHeadBefore: heads.get(job.realmId) ?? 0 });
  }
  for (const { job, value } of done) job.resolve(value);
  setImmediate(() => store.hooks.flushed());
}

function readLogHead(store: SqliteStore, realmId: number): number {
  const row = store.writer.query("SELECT max(id) AS head FROM event_log WHERE realm_id = ?").get(realmId);
  return (row as { head: number | null }).head ?? 0;
}

type Outcome = { value: unknown } | { error: unknown };

/**
 * Runs one write in a savepoint. Database calls settle within microtasks, so a write that is still open when the event
 * loop turns has awaited something else: it is undone and reported, and its transaction refuses further use.
 */
async function runJob(store: SqliteStore, database: Database, job: WriteJob): Promise<Outcome> {
  const leak = Promise.withResolvers<Outcome>();
  let isOpen = true;
  const watch = setImmediate(() => leak.resolve({ error: new WriteLeakError() }));
  const tx: Reader = {
    t: store.schema,
    dialect: "sqlite",
    get db() {
      if (!isOpen) throw new WriteLeakError();
      return database;
    },
  };
  store.writer.run("SAVEPOINT job");
  store.inWrite = true;
  const work = job.run(tx).then(
    (value): Outcome => ({ value }),
    (error): Outcome => ({ error }),
  );
  const outcome = await Promise.race([work, leak.promise]);
  store.inWrite = false;
  isOpen = false;
  clearImmediate(watch);
  if ("error" in outcome) {
    store.writer.run("ROLLBACK TO job");
    if (outcome.error instanceof WriteLeakError) store.hooks.warn("write_leaked", { realm: job.realmId });
    reportIfFatal(store, outcome.error);
  }
  store.writer.run("RELEASE job");
  return outcome;
}

async function inSnapshot<T>(file: SqliteFile, run: () => Promise<T>): Promise<T> {
  file.run("BEGIN");
  try {
    return await run();
  } finally {
    file.run("COMMIT");
  }
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
