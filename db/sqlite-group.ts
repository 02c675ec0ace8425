import type { Database as SqliteFile, Statement } from "bun:sqlite";
import { type EngineHooks, settle, type Transaction, type WriteJob } from "./engine";
import { type Change, LoggedChanges } from "./logged-changes";
import { measureGroup } from "./measure";
import type { Database, WriteStandpoint } from "./reader";
import type { Schema } from "./schema";
import { errorCode, isFull } from "./sqlite-error";
import { MovedError } from "./sqlite-place";

export class WriteLeakError extends Error {
  constructor() {
    super("A write awaited something other than the database; it was undone.");
    this.name = "WriteLeakError";
  }
}

/**
 * Waits until the callers whose promises were just settled have read what they need. A write that
 * began between their microtasks would seem to be theirs.
 */
export const othersDone = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Parts for running groups of writes. */
export interface GroupStore {
  writer: SqliteFile;
  /** The writing connection for drizzle in writes. It notes the tables that a write changes. */
  noting: Database;
  /** Called for each table that the current write changes. */
  note(change: Change): void;
  schema: Schema;
  hooks: EngineHooks;
  /** Whether a write is running. Code inside a write must not use readers outside of it. */
  inWrite: boolean;
  prepared: Record<"commit" | "savepoint" | "release" | "rollBackTo" | "logHead", Statement>;
  /** Takes the write lock; answers the error if that fails. */
  begin(): Promise<unknown>;
  /** Throws if the commits went into files that have been moved or removed. */
  requireInPlace(): void;
  /** Called when the group is on disk, with the tables that it has changed. */
  committed(tables: Iterable<string>): void;
}

/** A group of writes in its transaction. */
interface Group {
  /** Whether each write has a savepoint of its own. */
  isApart: boolean;
  heads: Map<number, number>;
  done: { job: WriteJob; value: unknown }[];
  refused: { job: WriteJob; error: unknown }[];
  /** The changed tables, and those of them whose changes the log notes. */
  changed: Set<string>;
  loggedTables: Set<string>;
}

/** Error that a write of a group without savepoints has failed after it has written something. */
class Undone extends Error {
  constructor(
    readonly job: WriteJob,
    readonly outcome: { error: unknown },
  ) {
    super();
  }
}

/**
 * Runs writes in the transaction that was begun for them, and commits it. The group first runs
 * without savepoints, because a savepoint makes SQLite copy each page that the write touches, and
 * refusals usually come before anything is written. If a write fails after it has written, all are
 * rolled back, and the others run again with savepoints.
 */
export async function runGroup(store: GroupStore, jobs: WriteJob[]) {
  let left = jobs;
  for (let isApart = false; left.length > 0; isApart = true) {
    const group: Group = {
      isApart,
      heads: new Map(),
      done: [],
      refused: [],
      changed: new Set(),
      loggedTables: new Set(),
    };
    const failure = await runJobs(store, group, left);
    if (!failure) {
      answer(store, group);
      return;
    }
    const { error } = failure;
    if (!(error instanceof Undone)) {
      for (const job of left) job.reject(error);
      return;
    }
    // A write that leaks may still be running, so it is not run again.
    const isHopeless = left.length === 1 || error.outcome.error instanceof WriteLeakError;
    if (isHopeless) {
      error.job.reject(error.outcome.error);
      await othersDone();
    }
    left = isHopeless ? left.filter((job) => job !== error.job) : left;
    const refusal = left.length > 0 ? await store.begin() : undefined;
    if (refusal === undefined) continue;
    for (const job of left) job.reject(refusal);
    return;
  }
}

/**
 * Runs the writes of a group and commits them. Answers the error if all of them were rolled back.
 */
async function runJobs(
  store: GroupStore,
  group: Group,
  jobs: WriteJob[],
): Promise<{ error: unknown } | undefined> {
  const watch = watchForLeaks();
  const measured = measureGroup(store.hooks.meter);
  try {
    for (const job of jobs) {
      const outcome = await runJob(store, group, job, watch);
      if ("error" in outcome) group.refused.push({ job, error: outcome.error });
      else group.done.push({ job, value: outcome.value });
    }
    measured?.committing();
    store.prepared.commit.run();
    measured?.committed(group.done.length);
    store.requireInPlace();
    return undefined;
  } catch (error) {
    rollBack(store);
    reportIfFatal(store.hooks, error);
    return { error };
  } finally {
    watch.end();
  }
}

function answer(store: GroupStore, { heads, done, refused, changed }: Group) {
  store.committed(changed);
  for (const { job, error } of refused) job.reject(error);
  for (const { job, value } of done) {
    settle(
      job,
      value,
      { realmId: job.realmId, logHeadBefore: heads.get(job.realmId) ?? 0 },
      store.hooks,
    );
  }
  for (const { job, value } of done) job.resolve(value);
  setImmediate(() => store.hooks.flushed());
}

/** The state of the data that a write of the group sees. */
function standpointOf(
  { writer, prepared }: GroupStore,
  { heads, loggedTables }: Group,
  realmId: number,
): WriteStandpoint {
  let logHead = heads.get(realmId);
  if (logHead === undefined) {
    const [[head] = []] = prepared.logHead.values(realmId);
    logHead = Number(head ?? 0);
    heads.set(realmId, logHead);
  }
  return {
    engine: writer,
    realmId,
    logHead,
    hasChanged: (tables) => tables.some((table) => loggedTables.has(table)),
  };
}

type Outcome = { value: unknown } | { error: unknown };

/** Runs one write. After it, its transaction cannot be used any more. */
async function runJob(
  store: GroupStore,
  group: Group,
  job: WriteJob,
  watch: Watch,
): Promise<Outcome> {
  const { savepoint, rollBackTo, release } = store.prepared;
  const { tx, deferred, close, hasWritten } = openTransaction(store, group, job.realmId, watch);
  if (group.isApart) savepoint.run();
  store.inWrite = true;
  const outcome = await watch.over(finish(job.run(tx), deferred));
  store.inWrite = false;
  close();
  if ("error" in outcome) {
    if (outcome.error instanceof WriteLeakError)
      store.hooks.warn("write_leaked", { realm: job.realmId });
    reportIfFatal(store.hooks, outcome.error);
    // SQLite itself has rolled back the whole group.
    if (isFull(outcome.error)) throw outcome.error;
    if (!group.isApart && hasWritten()) throw new Undone(job, outcome);
    if (group.isApart) rollBackTo.run();
  }
  if (group.isApart) release.run();
  return outcome;
}

function openTransaction(store: GroupStore, group: Group, realmId: number, watch: Watch) {
  let isOpen = true;
  let hasWritten = false;
  const deferred: Promise<unknown>[] = [];
  const written = new LoggedChanges();
  const note = (change: Change) => {
    const { table, isLogged } = change;
    hasWritten = true;
    group.changed.add(table);
    if (!isLogged) return;
    group.loggedTables.add(table);
    written.note(change);
  };
  store.note = note;
  const tx: Transaction = {
    t: store.schema,
    dialect: "sqlite",
    written: written.tables,
    writeStandpoint: standpointOf(store, group, realmId),
    noteWrite: note,
    get db() {
      if (!isOpen) throw new WriteLeakError();
      return store.noting;
    },
    defer: (statement) => void deferred.push(Promise.resolve(statement)),
    async pause() {
      if (!isOpen) throw new WriteLeakError();
      store.inWrite = false;
      await watch.pauseFor(othersDone);
      store.inWrite = true;
    },
  };
  const close = () => {
    isOpen = false;
  };
  return { tx, deferred, close, hasWritten: () => hasWritten };
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

type Watch = ReturnType<typeof watchForLeaks>;

/**
 * Detects writes that await something other than the database. Calls of the database resolve within
 * microtasks, so a write that is still running when the event loop turns has awaited something
 * else. One watch serves a whole group: `over` answers the result of a write, or that the loop has
 * turned before the write ended, except during `pauseFor`.
 */
function watchForLeaks() {
  let leaked: ((outcome: Outcome) => void) | undefined;
  let isPaused = false;
  let timer: NodeJS.Immediate;
  const reportLeak = () => {
    if (!isPaused) leaked?.({ error: new WriteLeakError() });
    timer = setImmediate(reportLeak);
  };
  timer = setImmediate(reportLeak);
  const over = (work: Promise<Outcome>) =>
    new Promise<Outcome>((resolve) => {
      leaked = resolve;
      void work.then(resolve);
    });
  async function pauseFor(others: () => Promise<void>) {
    isPaused = true;
    await others();
    isPaused = false;
  }
  return { over, pauseFor, end: () => clearImmediate(timer) };
}

function rollBack({ writer, hooks }: GroupStore) {
  try {
    if (writer.inTransaction) writer.run("ROLLBACK");
  } catch (error) {
    hooks.fatal(error);
  }
}

/**
 * Reports an error after which nothing more may be written: after a failed fsync, SQLite and the
 * disk may disagree about the stored data.
 */
export function reportIfFatal(hooks: EngineHooks, error: unknown): unknown {
  const code = errorCode(error);
  const isFatal =
    code.startsWith("SQLITE_IOERR") ||
    code.startsWith("SQLITE_CORRUPT") ||
    error instanceof MovedError;
  if (isFatal) hooks.fatal(error);
  return error;
}
