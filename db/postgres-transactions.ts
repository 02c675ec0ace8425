import type { PendingQuery, Row, Sql } from "postgres";
import type { PoolFigures } from "./measure";
import { type Connections, openConnections } from "./postgres-client";
import type { Link } from "./postgres-link";
import type { Database } from "./reader";
import { DatabaseAwayError } from "./trouble";

/** Seconds that an unused connection is kept. */
const idleSeconds = 60;

/** One connection at a time. Transactions run on it one after another. */
export interface Lane {
  link: Link;
  connections: Connections;
  /**
   * Number of lost connections. It shows whether a connection was lost during a transaction, so
   * that the rest of it does not run on the next connection.
   */
  connectionsLost: number;
  /** Value of `connectionsLost` when the transaction began; undefined outside of one. */
  transactionOn: number | undefined;
  /**
   * The statements of the transaction: those that the client may still hold back, and some that it
   * has sent.
   */
  statements: Statement[];
  /** Whether a statement that may write was sent since this was last set to false. */
  hasWritten: boolean;
  /**
   * The realm for whose lock the transaction waits, and the number of checks since it began to
   * wait.
   */
  waitsFor: { realmId: number; checkCount: number } | undefined;
}

type Statement = PendingQuery<Row[]>;

/** A few lanes, each lent to one caller at a time. If none is free, callers wait in order. */
export interface Lanes {
  /** Fails while PostgreSQL does not answer. */
  use<T>(run: (lane: Lane) => Promise<T>): Promise<T>;
  /** Lanes that have a connection or had one. */
  readonly all: readonly Lane[];
  figures(): Omit<PoolFigures, "name">;
  /** Closes all connections, so that the statements on them fail. */
  drop(): void;
  end(): Promise<void>;
}

/** Lanes to a database, each with a connection that is opened on first use. */
export function openLanes(url: string, countMax: number, link: Link): Lanes {
  const lanes: Lane[] = [];
  const free: Lane[] = [];
  const waiting: ((lane: Lane) => void)[] = [];
  const take = (): Lane | Promise<Lane> => {
    const idle = free.pop();
    if (idle) return idle;
    if (lanes.length < countMax) return openLane(url, lanes, link);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    all: lanes,
    figures: () => ({
      connectionsMax: countMax,
      inUse: lanes.length - free.length,
      waiting: waiting.length,
    }),
    drop: () => lanes.forEach(({ connections }) => void connections.drop()),
    async use(run) {
      const lane = await take();
      try {
        link.require();
        return await run(lane);
      } finally {
        const next = waiting.shift();
        if (next) next(lane);
        else free.push(lane);
      }
    },
    async end() {
      await Promise.all(lanes.map(({ connections }) => connections.end()));
    },
  };
}

function openLane(url: string, lanes: Lane[], link: Link): Lane {
  const lost = () => {
    lane.connectionsLost += 1;
    for (const statement of lane.statements) if (isHeldBack(statement)) giveUp(statement);
  };
  const wrap = (client: Sql) => watched(client, () => lane);
  const lane: Lane = {
    link,
    connections: openConnections(
      url,
      { max: 1, idle_timeout: idleSeconds },
      { lost, wrap, settings: link.settings },
    ),
    connectionsLost: 0,
    transactionOn: undefined,
    statements: [],
    hasWritten: false,
    waitsFor: undefined,
  };
  lanes.push(lane);
  return lane;
}

/**
 * Wraps a client. It refuses statements once the connection of a transaction is lost, because the
 * client reconnects by itself and would run the rest of the transaction outside of any transaction.
 * Statements that were not sent by then are given up, because the client would send them on the
 * next connection. It also notes which statements may write.
 */
function watched(client: Sql, lane: () => Lane): Sql {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "unsafe") return value;
      return (...args: Parameters<Sql["unsafe"]>) => {
        const current = lane();
        if (isBroken(current)) throw connectionLost();
        if (!/^\s*select\b/i.test(args[0])) current.hasWritten = true;
        return inTransaction(current, target.unsafe(...args));
      };
    },
  });
}

/**
 * Number of statements after which those that were sent are dropped, with the rows that they have
 * read.
 */
const statementsPerTidying = 16;

function inTransaction(lane: Lane, statement: Statement): Statement {
  if (lane.statements.push(statement) % statementsPerTidying === 0)
    lane.statements = lane.statements.filter(isHeldBack);
  return statement;
}

/**
 * Whether the client has not sent a statement yet. postgres.js 3.4.9 stores in `state` the
 * connection on which it has sent a statement.
 */
const isHeldBack = (statement: Statement) =>
  (statement as unknown as { state: unknown }).state === null;

/**
 * Gives up a statement that was not sent, because its connection is lost. It is rejected first,
 * because postgres.js 3.4.9 rejects what is cancelled as if somebody had asked for that (57014).
 */
function giveUp(statement: Statement) {
  (statement as unknown as { reject(error: Error): void }).reject(connectionLost());
  statement.cancel();
}

/** Begins a transaction, to which all statements belong that are sent on the lane from now on. */
function startTransaction(lane: Lane) {
  lane.transactionOn = lane.connectionsLost;
  lane.statements = [];
}

export const connectionLost = () => new DatabaseAwayError("the connection was lost.");

/** Whether the connection of the lane's transaction is lost. */
export const isBroken = ({ transactionOn, connectionsLost }: Lane) =>
  transactionOn !== undefined && transactionOn !== connectionsLost;

/** Sends a statement without values, which the lane does not track. */
export const execute = (lane: Lane, sql: string) =>
  inTransaction(lane, lane.connections.client.unsafe(sql, [], { prepare: true }));

/** Rolls a failed transaction back. If its connection is lost, PostgreSQL has already done so. */
export async function rollBack(lane: Lane) {
  const isOver = isBroken(lane);
  lane.transactionOn = undefined;
  if (isOver) return;
  await lane.connections.client.unsafe("ROLLBACK").catch(() => undefined);
}

/**
 * A statement that may fail before it is awaited without causing an unhandled rejection. Awaiting
 * it still throws.
 */
export function held<T>(statement: Promise<T>): Promise<T> {
  statement.catch(() => undefined);
  return statement;
}

/** A transaction that has begun, with the answers of the database so far. */
export interface Begun {
  /**
   * The newest id of the realm's log when the realm's lock was taken, 0 for none. Rejects where no
   * transaction has begun.
   */
  head: Promise<number>;
  /** Ids for new messages, each above the ones before. */
  nextMessageId(): Promise<number>;
}

/**
 * Takes the realm's lock. It waits at most ten seconds until another node finishes its own write,
 * and as long for every other lock of the transaction. A node that is stopped or cut off sends
 * nothing for three seconds; PostgreSQL then ends its session, which releases the realm. A running
 * statement is never ended, however long it takes, because the others wait for its result.
 */
const takeLock =
  "SELECT set_config('lock_timeout', '10s', true), " +
  "set_config('idle_in_transaction_session_timeout', '3s', true), pg_advisory_xact_lock($1::bigint)";
const takeIds = "SELECT nextval('messages_id_seq') AS id FROM generate_series(1, $1::int)";
const findHead = "SELECT max(id) AS head FROM event_log WHERE realm_id = $1";

/**
 * Begins a transaction, takes the realm's lock, and then reads the end of its log. These statements
 * are sent together, and together with the caller's first statements if the caller does not wait.
 * `newMessages` is the number of ids for messages that are reserved.
 */
export function begin(lane: Lane, realmId: number, newMessages: number): Begun {
  const { client } = lane.connections;
  const run = (sql: string, value: number) =>
    inTransaction(lane, client.unsafe(sql, [value], { prepare: true }));
  const readIds = async (count: number) => (await run(takeIds, count)).map(({ id }) => Number(id));
  startTransaction(lane);
  lane.waitsFor = { realmId, checkCount: 0 };
  const begun = execute(lane, "BEGIN ISOLATION LEVEL READ COMMITTED");
  // They are awaited together, because a statement that is awaited alone would be sent before those
  // of `Promise.all`.
  const answers = Promise.all([begun, run(takeLock, realmId), run(findHead, realmId)]).finally(
    () => {
      lane.waitsFor = undefined;
    },
  );
  const head = held(answers.then(([, , [row]]) => Number(row?.["head"] ?? 0)));
  // A statement is sent when it is first awaited, so the ids are read after the lock is taken.
  let ids = held(newMessages > 0 ? readIds(newMessages) : Promise.resolve([]));
  return {
    head,
    async nextMessageId() {
      await head;
      for (;;) {
        const id = (await ids).shift();
        if (id !== undefined) return id;
        ids = held(readIds(1));
      }
    },
  };
}

const beginSnapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const attemptsMax = 3;

/**
 * Runs several queries as of one moment. If the connection is lost meanwhile, it is replaced, and
 * all queries run again.
 */
export function readSnapshot<T>(lanes: Lanes, run: (db: Database) => Promise<T>): Promise<T> {
  return lanes.use(async (lane) => {
    for (let attempt = 1; ; attempt++) {
      startTransaction(lane);
      try {
        // This statement is sent together with the first query.
        const begun = held(execute(lane, beginSnapshot).then(() => undefined));
        const value = await run(lane.connections.db);
        await begun;
        if (isBroken(lane)) throw connectionLost();
        // This statement is not awaited, because nothing depends on its answer, and the next user
        // of the lane sends statements after it.
        held(execute(lane, "COMMIT").then(() => undefined));
        lane.transactionOn = undefined;
        return value;
      } catch (error) {
        const mayTryAgain = isBroken(lane) && attempt < attemptsMax && !lane.link.isAway;
        await rollBack(lane);
        if (!mayTryAgain) throw error;
      }
    }
  });
}
