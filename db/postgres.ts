import type { Sql } from "postgres";
import {
  type Committed,
  type Engine,
  type EngineHooks,
  makeJob,
  settle,
  type WriteJob,
  writesPerCommitMax,
} from "./engine";
import { type Connections, openConnections } from "./postgres-client";
import type { Database, Reader } from "./reader";
import { makeSchema, type Schema } from "./schema";

const channel = "chatd";
const attemptsMax = 5;
const lookIntervalMilliseconds = 1_000;

interface RealmWriter {
  realmId: number;
  /** One connection at a time. */
  connections: Connections;
  queue: WriteJob[];
  running: Promise<void> | undefined;
  /** Counts the connections that were lost, so that no statement of a transaction runs on the next one by itself. */
  connectionsLost: number;
  transactionOn: number | undefined;
  /** Whether COMMIT was sent: from then on, whoever loses the connection cannot know whether it was done. */
  isCommitting: boolean;
}

interface PostgresStore {
  url: string;
  nodeId: string;
  schema: Schema;
  pool: Connections;
  hooks: EngineHooks;
  writers: Map<number, RealmWriter>;
  announcing: Map<number, "sending" | "again">;
}

/** Opens a migrated database. Every node of an installation opens the same one. */
export async function openPostgres(url: string, hooks: EngineHooks): Promise<Engine> {
  const schema = makeSchema("postgres");
  const pool = openConnections(url, { max: 8 });
  const listener = openConnections(url, { max: 1 });
  const store: PostgresStore = {
    url,
    nodeId: crypto.randomUUID(),
    schema,
    pool,
    hooks,
    writers: new Map(),
    announcing: new Map(),
  };
  await listener.client.listen(
    channel,
    (payload) => receive(store, payload),
    () => hooks.changedElsewhere(),
  );
  const look = setInterval(() => hooks.changedElsewhere(), lookIntervalMilliseconds);
  look.unref();
  const reader: Reader = {
    t: schema,
    dialect: "postgres",
    get db() {
      return pool.db;
    },
  };
  return {
    dialect: "postgres",
    schema,
    reader,
    warmReader: reader,
    write: (realmId, run, settled) => {
      const writer = writerOf(store, realmId);
      const { job, done } = makeJob(realmId, run, settled);
      writer.queue.push(job);
      writer.running ??= runQueue(store, writer);
      return done;
    },
    snapshot: (run) => snapshot(store, run),
    lookElsewhere: () => undefined,
    announce: (realmId) => announce(store, realmId),
    broadcast: (text) => notify(store, `${store.nodeId} say ${text}`),
    close: async () => {
      clearInterval(look);
      for (const writer of store.writers.values()) while (writer.running) await writer.running;
      const writers = [...store.writers.values()].map(({ connections }) => connections);
      await Promise.all([...writers, pool, listener].map((connections) => connections.end()));
    },
  };
}

function writerOf(store: PostgresStore, realmId: number): RealmWriter {
  const known = store.writers.get(realmId);
  if (known) return known;
  const lost = () => {
    writer.connectionsLost += 1;
  };
  const wrap = (client: Sql) => onOneConnection(client, () => writer);
  const writer: RealmWriter = {
    realmId,
    connections: openConnections(store.url, { max: 1, idle_timeout: 60 }, { lost, wrap }),
    queue: [],
    running: undefined,
    connectionsLost: 0,
    transactionOn: undefined,
    isCommitting: false,
  };
  store.writers.set(realmId, writer);
  return writer;
}

/**
 * The client reconnects by itself, and would run the rest of a broken transaction outside any. This one refuses
 * statements from the moment when the connection that the transaction began on is lost.
 */
function onOneConnection(client: Sql, writer: () => RealmWriter): Sql {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "unsafe") return value;
      return (...args: Parameters<Sql["unsafe"]>) => {
        const { transactionOn, connectionsLost } = writer();
        if (transactionOn !== undefined && transactionOn !== connectionsLost)
          throw new Error("The database connection was lost.");
        return target.unsafe(...args);
      };
    },
  });
}

async function runQueue(store: PostgresStore, writer: RealmWriter) {
  await Promise.resolve();
  while (writer.queue.length > 0) {
    const jobs = writer.queue.splice(0, writesPerCommitMax);
    await runGroup(store, writer, jobs);
  }
  writer.running = undefined;
}

/**
 * Runs a group in one transaction. A deadlock, a serialization failure or a connection lost before the COMMIT undoes all of
 * it, so all of it is run again; after a COMMIT that was lost on its way nobody knows, and running again could double it.
 * Refusals are rare and a savepoint for each write costs a statement: a group is first run without any, and where one of
 * its writes throws it is undone and run again with them.
 */
async function runGroup(store: PostgresStore, writer: RealmWriter, jobs: WriteJob[]) {
  let apart = false;
  for (let attempt = 1; ; attempt++) {
    const { connectionsLost } = writer;
    writer.isCommitting = false;
    try {
      await runTransaction(store, writer, jobs, apart);
      return;
    } catch (error) {
      writer.transactionOn = undefined;
      await writer.connections.client.unsafe("ROLLBACK").catch(() => undefined);
      if (error instanceof Refused && jobs.length > 1) {
        apart = true;
        continue;
      }
      const isUndone = writer.connectionsLost !== connectionsLost && !writer.isCommitting;
      if ((isUndone || isRetryable(error)) && attempt < attemptsMax) continue;
      for (const job of jobs) job.reject(error instanceof Refused ? error.cause : error);
      return;
    }
  }
}

/** A write of a group that runs without savepoints has thrown. */
class Refused extends Error {}

async function runTransaction(store: PostgresStore, writer: RealmWriter, jobs: WriteJob[], apart: boolean) {
  const commit = await begin(writer);
  const { db } = writer.connections;
  const done: { job: WriteJob; value: unknown }[] = [];
  const underWay: Promise<unknown>[] = [];
  const refused: { job: WriteJob; error: unknown }[] = [];
  for (const job of jobs) {
    if (apart) await execute(writer, "SAVEPOINT job");
    const deferred: Promise<unknown>[] = [];
    const defer = (statement: PromiseLike<unknown>) => void deferred.push(watched(Promise.resolve(statement)));
    try {
      const value = await job.run({ db, t: store.schema, dialect: "postgres", defer });
      if (apart) await Promise.all(deferred);
      else underWay.push(...deferred);
      done.push({ job, value });
    } catch (error) {
      await Promise.allSettled(deferred);
      if (isRetryable(error) || writer.transactionOn !== writer.connectionsLost) throw error;
      if (!apart) {
        await Promise.allSettled(underWay);
        throw new Refused("", { cause: error });
      }
      await execute(writer, "ROLLBACK TO SAVEPOINT job");
      refused.push({ job, error });
    }
    if (apart) await execute(writer, "RELEASE SAVEPOINT job");
  }
  await Promise.all(underWay);
  if (writer.transactionOn !== writer.connectionsLost) throw new Error("The database connection was lost.");
  writer.isCommitting = true;
  await execute(writer, "COMMIT");
  writer.transactionOn = undefined;
  for (const { job, error } of refused) job.reject(error);
  for (const { job, value } of done) settle(job, value, commit, store.hooks);
  for (const { job, value } of done) job.resolve(value);
  setImmediate(() => store.hooks.flushed());
}

/** A statement that fails before it is awaited is no stray rejection: whoever awaits it later still hears of it. */
function watched(statement: Promise<unknown>): Promise<unknown> {
  statement.catch(() => undefined);
  return statement;
}

/** Begins a transaction, takes the realm's lock, and then looks where its log stands: three statements on one trip. */
async function begin(writer: RealmWriter): Promise<Committed> {
  const { realmId, connections } = writer;
  const { client } = connections;
  writer.transactionOn = writer.connectionsLost;
  const [, , heads] = await Promise.all([
    execute(writer, "BEGIN"),
    client.unsafe("SELECT pg_advisory_xact_lock($1::bigint)", [realmId], { prepare: true }),
    client.unsafe("SELECT max(id) AS head FROM event_log WHERE realm_id = $1", [realmId], { prepare: true }),
  ]);
  return { realmId, logHeadBefore: Number(heads[0]?.["head"] ?? 0) };
}

const execute = ({ connections: { client } }: RealmWriter, sql: string) => client.unsafe(sql, [], { prepare: true });

const retryableCodes = new Set(["40001", "40P01"]);

function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && typeof error.code === "string" && retryableCodes.has(error.code)) return true;
  return isRetryable(error.cause);
}

async function snapshot<T>(store: PostgresStore, run: (reader: Reader) => Promise<T>): Promise<T> {
  return databaseTransaction(store.pool.db, (db) => run({ db, t: store.schema, dialect: "postgres" }));
}

function databaseTransaction<T>(db: Database, run: (db: Database) => Promise<T>): Promise<T> {
  const transactional = db as unknown as {
    transaction(run: (db: Database) => Promise<T>, config: Record<string, string>): Promise<T>;
  };
  return transactional.transaction(run, { isolationLevel: "repeatable read", accessMode: "read only" });
}

function receive(store: PostgresStore, payload: string) {
  const [nodeId, verb, ...rest] = payload.split(" ");
  if (nodeId === store.nodeId) return;
  if (verb === "log") store.hooks.changedElsewhere(Number(rest[0]));
  if (verb === "say") store.hooks.received(rest.join(" "));
}

/** One announcement per realm is under way at a time; those that come meanwhile are told by the next. */
function announce(store: PostgresStore, realmId: number) {
  if (store.announcing.has(realmId)) {
    store.announcing.set(realmId, "again");
    return;
  }
  store.announcing.set(realmId, "sending");
  notify(store, `${store.nodeId} log ${realmId}`).finally(() => {
    const again = store.announcing.get(realmId) === "again";
    store.announcing.delete(realmId);
    if (again) announce(store, realmId);
  });
}

async function notify(store: PostgresStore, payload: string) {
  try {
    await store.pool.client.notify(channel, payload);
  } catch (error) {
    store.hooks.warn("notify_failed", { error: String(error) });
  }
}
