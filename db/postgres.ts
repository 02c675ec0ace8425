import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { requireKnownDrizzle } from "./drizzle-internals";
import {
  type Engine,
  type EngineHooks,
  makeJob,
  settle,
  type Transaction,
  type WriteJob,
  writesPerCommitMax,
} from "./engine";
import { type Change, LoggedChanges, noteWrites } from "./logged-changes";
import { measureGroup } from "./measure";
import { type Connections, openConnections } from "./postgres-client";
import { isFromDatabase, isRetryable } from "./postgres-errors";
import { figuresOf, listStaleStatistics, readClock } from "./postgres-figures";
import { type Link, openLink } from "./postgres-link";
import { announce, channel, notify, receive } from "./postgres-notices";
import {
  type Begun,
  begin,
  connectionLost,
  execute,
  held,
  isBroken,
  type Lane,
  type Lanes,
  openLanes,
  readSnapshot,
  rollBack,
} from "./postgres-transactions";
import type { Database, DataState, Reader } from "./reader";
import { type Schema, schemaOf } from "./schema";
import { endSilentHolders } from "./silent-holders";
import { isAway, UnknownOutcomeError } from "./trouble";

const attemptsMax = 5;
/**
 * Highest number of connections of a node, by kind, in addition to the one that listens. The kinds
 * are reads, queries at the beginning of every request, reads as of one moment, and writes, each of
 * one realm at a time. If the operator wants fewer connections, there is at least one of each kind.
 */
const connectionsMax = { read: 8, quick: 2, snapshot: 4, write: 8 };
const connectionsMaxDefault = 23;

const shareOf = (most: number) => (wanted: number) =>
  Math.max(1, Math.floor((wanted * (most - 1)) / (connectionsMaxDefault - 1)));

/** The waiting writes of a realm. */
interface RealmQueue {
  realmId: number;
  jobs: WriteJob[];
  running: Promise<void> | undefined;
}

export interface PostgresStore {
  url: string;
  nodeId: string;
  schema: Schema;
  link: Link;
  pool: Connections;
  quick: Connections;
  snapshots: Lanes;
  writers: Lanes;
  hooks: EngineHooks;
  /** Highest numbers of connections for reads. */
  readersMax: { read: number; quick: number };
  queues: Map<number, RealmQueue>;
  announcing: Map<number, "sending" | "again">;
  /** Connections for drizzle in writes, wrapped so that they note the tables that change. */
  noting: WeakMap<Database, Noting>;
  /** Number of commits of this process. */
  version: number;
}

interface Noting {
  db: Database;
  note(change: Change): void;
}

/** Opens a database of this schema version, shared by all nodes. Refuses one of a newer version. */
export async function openPostgres(
  { url, version }: { url: string; version: number },
  hooks: EngineHooks,
  connections = connectionsMaxDefault,
): Promise<Engine> {
  requireKnownDrizzle("postgres", () => drizzle.mock() as unknown as Database);
  const share = shareOf(connections);
  let store: PostgresStore | undefined;
  const link = await openLink({
    url,
    channel,
    version,
    notified: (payload) => store && receive(store, payload),
    catchUp: () => store && catchUp(store),
    away: (why) => store && away(store, why),
    lost: hooks.lost,
    outdated: hooks.fatal,
  });
  const wishes = { settings: link.settings, wrap: refusingWhileAway(link) };
  const readersMax = { read: share(connectionsMax.read), quick: share(connectionsMax.quick) };
  const opened: PostgresStore = {
    url,
    hooks,
    link,
    nodeId: crypto.randomUUID(),
    schema: schemaOf("postgres"),
    version: 0,
    readersMax,
    pool: openConnections(url, { max: readersMax.read }, wishes),
    quick: openConnections(url, { max: readersMax.quick }, wishes),
    snapshots: openLanes(url, share(connectionsMax.snapshot), link),
    writers: openLanes(url, share(connectionsMax.write), link),
    queues: new Map(),
    announcing: new Map(),
    noting: new WeakMap(),
  };
  store = opened;
  return engineOn(opened);
}

function engineOn(opened: PostgresStore): Engine {
  return {
    dialect: "postgres",
    isRemote: true,
    schema: opened.schema,
    reader: makeReader(opened, opened.pool, () => undefined),
    quickReader: makeReader(opened, opened.quick, () => undefined),
    openReader: () => makeReader(opened, opened.pool, () => opened.version),
    write: (realmId, run, settled, newMessages) => {
      const { job, done } = makeJob(realmId, run, settled, newMessages);
      const queue = queueOf(opened, realmId);
      queue.jobs.push(job);
      queue.running ??= runQueue(opened, queue);
      return done;
    },
    snapshot: (run) => snapshot(opened, run),
    isAway: () => opened.link.isAway,
    checkForOtherWrites: () => undefined,
    checkFilesInPlace: () => undefined,
    announce: (realmId) => announce(opened, realmId),
    broadcast: (text) => notify(opened, `${opened.nodeId} say ${text}`),
    readClock: () => readClock(opened.pool),
    listStaleStatistics: () => listStaleStatistics(opened.pool),
    figures: () => figuresOf(opened),
    close: async () => {
      for (const queue of opened.queues.values()) while (queue.running) await queue.running;
      await opened.link.close();
      await Promise.all(
        [opened.writers, opened.snapshots, opened.pool, opened.quick].map((some) => some.end()),
      );
    },
  };
}

/** Wraps a client, so that it sends nothing while PostgreSQL does not answer. */
const refusingWhileAway = (link: Link) => (client: Sql) => {
  const { unsafe } = client;
  return Object.assign(client, {
    unsafe: (...args: Parameters<Sql["unsafe"]>) => {
      link.require();
      return unsafe(...args);
    },
  });
};

/** Called once a second, and whenever notifications may have been missed. */
function catchUp({ hooks, writers, pool }: PostgresStore) {
  hooks.changedElsewhere();
  endSilentHolders(writers, pool, hooks);
}

/**
 * Fails everything that waits for an answer, because none will come. Requests that come until
 * PostgreSQL answers again fail at once.
 */
function away({ hooks, writers, snapshots, pool, quick }: PostgresStore, why: string) {
  hooks.warn("database_away", { why });
  for (const some of [writers, snapshots, pool, quick]) some.drop();
}

function makeReader(
  store: PostgresStore,
  connections: Connections,
  version: DataState["version"],
): Reader {
  return {
    t: store.schema,
    dialect: "postgres",
    dataState: { engine: store, version, changeOf: () => undefined },
    get db() {
      return connections.db;
    },
  };
}

function snapshot<T>(store: PostgresStore, run: (reader: Reader) => Promise<T>): Promise<T> {
  return readSnapshot(store.snapshots, (db) => {
    // The snapshot is of one moment, so the version that it reads stays valid to its end.
    const dataState: DataState = { engine: store, version: () => 0, changeOf: () => undefined };
    return run({ db, t: store.schema, dialect: "postgres", dataState, moment: new Map() });
  });
}

function queueOf(store: PostgresStore, realmId: number): RealmQueue {
  const existing = store.queues.get(realmId);
  if (existing) return existing;
  const queue: RealmQueue = { realmId, jobs: [], running: undefined };
  store.queues.set(realmId, queue);
  return queue;
}

async function runQueue(store: PostgresStore, queue: RealmQueue) {
  await Promise.resolve();
  while (queue.jobs.length > 0) {
    const run = (lane: Lane) =>
      runGroup(store, queue.realmId, lane, queue.jobs.splice(0, writesPerCommitMax));
    await store.writers.use(run).catch((error: unknown) => {
      for (const job of queue.jobs.splice(0)) job.reject(error);
    });
  }
  queue.running = undefined;
}

/** Progress of a transaction, which decides whether it may run again after a failure. */
interface Progress {
  /**
   * Whether COMMIT was sent. If the connection is lost after that, it is unknown whether the write
   * is stored.
   */
  isCommitting: boolean;
}

/**
 * Runs a group of writes in one transaction. A deadlock, a serialization failure or a connection
 * lost before the COMMIT rolls the group back, so the group runs again. After a COMMIT without an
 * answer the outcome is unknown, and running it again could store it twice. The group first runs
 * without savepoints, because a savepoint for each write costs a statement, and refusals usually
 * come before anything is written. If a write throws after it has written, the group is rolled back
 * and runs again with savepoints.
 */
async function runGroup(store: PostgresStore, realmId: number, lane: Lane, jobs: WriteJob[]) {
  let apart = false;
  for (let attempt = 1; ; attempt++) {
    const { connectionsLost } = lane;
    const progress: Progress = { isCommitting: false };
    try {
      await runTransaction(store, { realmId, lane, jobs, apart, progress });
      return;
    } catch (error) {
      await rollBack(lane);
      if (error instanceof Refused && jobs.length > 1 && !apart) {
        apart = true;
        continue;
      }
      const isLost = lane.connectionsLost !== connectionsLost;
      const isUndone = isLost && !progress.isCommitting;
      const mayTryAgain = attempt < attemptsMax && !store.link.isAway;
      if ((isUndone || isRetryable(error)) && mayTryAgain) continue;
      const isUnknown = isLost && progress.isCommitting && isAway(error);
      const reason = isUnknown
        ? new UnknownOutcomeError(error)
        : error instanceof Refused
          ? error.cause
          : error;
      for (const job of jobs) job.reject(reason);
      return;
    }
  }
}

/** Error that a write of a group without savepoints has thrown after it has written something. */
class Refused extends Error {}

interface Group {
  realmId: number;
  lane: Lane;
  jobs: WriteJob[];
  /** Whether each write has a savepoint of its own. */
  apart: boolean;
  progress: Progress;
}

/**
 * The error of the first statement that failed, because it made the later ones fail. Waits for all
 * statements.
 */
async function firstFailure(statements: Promise<unknown>[]): Promise<unknown> {
  const settled = await Promise.allSettled(statements);
  return settled.find((one) => one.status === "rejected")?.reason;
}

const sumOf = (jobs: readonly WriteJob[]) =>
  jobs.reduce((sum, { newMessages }) => sum + newMessages, 0);

async function runTransaction(store: PostgresStore, group: Group) {
  const { realmId, lane, jobs, apart, progress } = group;
  const measured = measureGroup(store.hooks.meter);
  // Not awaited here, so that the first queries of the writes are sent together with it.
  const begun = begin(lane, realmId, sumOf(jobs));
  const loggedTables = new Set<string>();
  const done: { job: WriteJob; value: unknown }[] = [];
  const underWay: Promise<unknown>[] = [];
  const refused: { job: WriteJob; error: unknown }[] = [];
  if (apart) await begun.head;
  for (const job of jobs) {
    if (apart) await execute(lane, "SAVEPOINT job");
    lane.hasWritten = false;
    const deferred: Promise<unknown>[] = [];
    try {
      const value = await job.run(openTransaction(store, group, begun, loggedTables, deferred));
      if (apart) await Promise.all(deferred);
      else underWay.push(...deferred);
      done.push({ job, value });
    } catch (thrown) {
      await begun.head;
      const error = (await firstFailure([...underWay, ...deferred])) ?? thrown;
      if (isRetryable(error) || isBroken(lane)) throw error;
      const leavesNothing = !lane.hasWritten && !isFromDatabase(error);
      if (!apart && !leavesNothing) throw new Refused("", { cause: error });
      if (apart) await execute(lane, "ROLLBACK TO SAVEPOINT job");
      refused.push({ job, error });
    }
    if (apart) await execute(lane, "RELEASE SAVEPOINT job");
  }
  const commit = { realmId, logHeadBefore: await begun.head };
  if (isBroken(lane)) throw connectionLost();
  progress.isCommitting = true;
  measured?.committing();
  // The COMMIT is sent together with the running statements. If one of them fails, PostgreSQL rolls
  // all of them back.
  const committed = held(commitTransaction(lane));
  await Promise.all(underWay).catch(async (error: unknown) => {
    const [outcome] = await Promise.allSettled([committed, ...underWay]);
    // A transaction that is on disk in spite of the error must not run again.
    const isFinal = outcome.status === "fulfilled" || isRetryable(error) || isBroken(lane);
    throw isFinal ? error : new Refused("", { cause: error });
  });
  await committed;
  measured?.committed(done.length);
  store.version += 1;
  for (const { job, error } of refused) job.reject(error);
  for (const { job, value } of done) settle(job, value, commit, store.hooks);
  for (const { job, value } of done) job.resolve(value);
  setImmediate(() => store.hooks.flushed());
}

/**
 * Commits. PostgreSQL answers with ROLLBACK, and without an error, if a statement has failed whose
 * error nobody received.
 */
async function commitTransaction(lane: Lane) {
  const { command } = await execute(lane, "COMMIT");
  lane.transactionOn = undefined;
  if (command !== "COMMIT")
    throw new Refused("", { cause: new Error("A statement of the write failed.") });
}

function openTransaction(
  store: PostgresStore,
  { realmId, lane }: Group,
  { head: logHead, nextMessageId }: Begun,
  loggedTables: Set<string>,
  deferred: Promise<unknown>[],
): Transaction {
  const noting = notingOf(store, lane.connections.db);
  const written = new LoggedChanges();
  const note = (change: Change) => {
    if (!change.isLogged) return;
    written.note(change);
    loggedTables.add(change.table);
  };
  noting.note = note;
  const hasChanged = (tables: readonly string[]) => tables.some((table) => loggedTables.has(table));
  return {
    db: noting.db,
    t: store.schema,
    dialect: "postgres",
    written: written.tables,
    writeStandpoint: { engine: store, realmId, logHead, hasChanged },
    noteWrite: note,
    nextMessageId,
    defer: (statement) => void deferred.push(held(Promise.resolve(statement))),
  };
}

/** The wrapper of a connection. Each has only one, because prepared statements belong to it. */
function notingOf(store: PostgresStore, db: Database): Noting {
  const existing = store.noting.get(db);
  if (existing) return existing;
  const noting: Noting = {
    db: noteWrites(db, (change) => noting.note(change)),
    note: () => undefined,
  };
  store.noting.set(db, noting);
  return noting;
}
