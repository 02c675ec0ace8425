import type { EngineFigures, EngineMeter } from "./measure";
import type { Reader } from "./reader";
import type { Dialect, Schema } from "./schema";

/** A write that has reached the disk, for `EngineHooks.committed`. */
export interface Committed {
  realmId: number;
  /** The realm's newest log id before the group of writes with which this write was committed. */
  logHeadBefore: number;
}

export interface EngineHooks {
  /** Milliseconds of a clock that only measures how long something takes. */
  milliseconds(): number;
  /** Called when writes are on disk, after their callers have been answered. */
  flushed(): void;
  /**
   * Called when another process has written to this database; `realmId` where the engine knows it.
   */
  changedElsewhere(realmId?: number): void;
  /** Called for a message that another node has sent with `broadcast`. */
  received(text: string): void;
  /**
   * Called when the process must end, because the disk can no longer be trusted, a newer version
   * has migrated the data, or a restore has replaced it.
   */
  fatal(error: unknown): void;
  /**
   * Called when the connection that shows whether the database answers is lost. The function that
   * it answers is called when the connection was replaced, with whether the database did not answer
   * meanwhile.
   */
  lost(): (wasAway: boolean) => void;
  /** Called for a problem that does not stop the work. */
  warn(event: string, fields: Record<string, unknown>): void;
  readonly meter?: EngineMeter | undefined;
}

/** Tools of a write. */
export interface Transaction extends Reader {
  /**
   * The tables that the write has changed so far and that need an entry of their own in the log,
   * with the ids of the changed rows where all of them are known.
   */
  readonly written: ReadonlyMap<string, ReadonlySet<number> | undefined>;
  /**
   * On PostgreSQL: the id for the next new message, which is higher than all ids before it. So
   * nothing has to wait until the row of the message is stored. All messages must be stored with
   * such ids.
   */
  readonly nextMessageId?: () => Promise<number>;
  /**
   * Runs a statement whose result the write does not need. It is complete before the commit; if it
   * fails, the write fails. On PostgreSQL it is sent together with the statements of the next
   * write.
   */
  defer(statement: PromiseLike<unknown>): void;
  /**
   * To be awaited between the pieces of a long write, so that others have their turn of the event
   * loop: they read what was committed before the write, and their own writes wait for its end.
   * Undefined where the database is a separate server, because a write does not hold the loop then.
   */
  readonly pause?: () => Promise<void>;
}

/** One of the two databases, with one interface. */
export interface Engine {
  readonly dialect: Dialect;
  /**
   * Whether the database is a separate server, which other nodes may use too. Each statement then
   * needs a round trip, and only a query can tell whether another node has changed something.
   */
  readonly isRemote: boolean;
  readonly schema: Schema;
  /** Reader for single statements. It cannot write. */
  readonly reader: Reader;
  /**
   * Reader for the few small queries at the beginning of every request. On PostgreSQL they share
   * few connections, on which they are sent together, so a long query on it would delay all others.
   */
  readonly quickReader: Reader;
  /**
   * Reader for one request. It checks whether cached data is up to date at the first use and after
   * each write of this process, instead of at every use.
   */
  openReader(): Reader;
  /**
   * Queues a write. Writes of a realm run one after another. Waiting writes share one commit, each
   * in a savepoint of its own, so that a write that throws is rolled back alone. `run` may await
   * nothing but the database. The promise resolves after the commit; before that, `settled` is
   * called. `newMessages` is about the number of messages that the write will store.
   */
  write<T>(
    realmId: number,
    run: (tx: Transaction) => Promise<T>,
    settled: (value: T, commit: Committed) => void,
    newMessages?: number,
  ): Promise<T>;
  /** Runs several queries as of one moment. `run` may await nothing but the database. */
  snapshot<T>(run: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Whether the database does not answer at the moment, so that every query fails at once. The log
   * already contains an entry about this.
   */
  isAway(): boolean;
  /**
   * Checks whether another process has written, and calls `changedElsewhere` if so. Takes
   * microseconds.
   */
  checkForOtherWrites(): void;
  /** Ends the process, by `fatal`, if the data files have been moved or removed. */
  checkFilesInPlace(): void;
  /** Tells the other nodes that a realm's log has new entries. */
  announce(realmId: number): void;
  /**
   * Sends a short text (under 7,000 bytes) to the other nodes. It is not stored, and arrives at
   * most once. Undefined where there are no other nodes.
   */
  readonly broadcast: ((text: string) => void) | undefined;
  /** Reads the database's own clock (UNIX milliseconds); undefined where the database has none. */
  readonly readClock: (() => Promise<number>) | undefined;
  /**
   * Names of large tables whose statistics are older than most of their rows, so that PostgreSQL
   * plans queries badly; undefined on SQLite.
   */
  readonly listStaleStatistics: (() => Promise<string[]>) | undefined;
  /** State of the database at this moment. It runs no query, and takes microseconds. */
  figures(): EngineFigures;
  /** Waits for queued writes, then closes the database. */
  close(): Promise<void>;
}

export interface WriteJob {
  realmId: number;
  newMessages: number;
  run(tx: Transaction): Promise<unknown>;
  settled(value: unknown, commit: Committed): void;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Highest number of writes that share one commit. */
export const writesPerCommitMax = 512;

/** The bookkeeping of a queued write, with its promise. */
export function makeJob<T>(
  realmId: number,
  run: (tx: Transaction) => Promise<T>,
  settled: (value: T, commit: Committed) => void,
  newMessages = 0,
): { job: WriteJob; done: Promise<T> } {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const job: WriteJob = {
    realmId,
    newMessages,
    run,
    settled: (value, commit) => settled(value as T, commit),
    resolve: (value) => resolve(value as T),
    reject,
  };
  return { job, done: promise };
}

/**
 * Tells a write that it is on disk. An error of its callbacks is logged, but affects neither its
 * caller nor later writes, because the write can no longer be rolled back.
 */
export function settle(job: WriteJob, value: unknown, commit: Committed, hooks: EngineHooks) {
  try {
    job.settled(value, commit);
  } catch (error) {
    hooks.warn("settling_failed", { realm: job.realmId, error: String(error) });
  }
}
