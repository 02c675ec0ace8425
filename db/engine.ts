import type { EngineFigures, EngineMeter } from "./measure";
import type { Reader } from "./reader";
import type { Dialect, Schema } from "./schema";

/** A write that has reached the disk, for `EngineHooks.committed`. */
export interface Committed {
  realmId: number;
  /** The realm's newest log id before the group of writes that this one was committed with. */
  logHeadBefore: number;
}

export interface EngineHooks {
  /** Milliseconds of a clock that only measures how long something takes. */
  milliseconds(): number;
  /** Writes are on disk; called after their callers have been answered. */
  flushed(): void;
  /** Another process has written to this database; `realmId` where the engine can tell. */
  changedElsewhere(realmId?: number): void;
  /** A message that another node sent with `broadcast`. */
  received(text: string): void;
  /**
   * The disk can no longer be trusted, a newer version has migrated the data, or a restore has
   * replaced it, so the process must end.
   */
  fatal(error: unknown): void;
  /** The database answers again, after it did not. */
  back(): void;
  /** A problem that did not stop the work. */
  warn(event: string, fields: Record<string, unknown>): void;
  readonly meter?: EngineMeter | undefined;
}

/** Tools of a write. */
export interface Transaction extends Reader {
  /**
   * The tables that the write has changed so far and that need an entry of their own in the log.
   */
  readonly written: ReadonlySet<string>;
  /**
   * On PostgreSQL: the id for the next new message, above all ids before it, so that nothing waits
   * until its row is stored. All messages must be stored with such ids.
   */
  readonly nextMessageId?: () => Promise<number>;
  /**
   * Hands over a statement whose result the write does not need. It is done before the commit; if
   * it fails, the write fails. On PostgreSQL it is sent together with the statements of the next
   * write.
   */
  defer(statement: PromiseLike<unknown>): void;
}

/** One of the two databases, with one interface. */
export interface Engine {
  readonly dialect: Dialect;
  /**
   * Whether the database is a separate server, which other nodes may use too. Each statement then
   * needs a round trip, and only a query tells of changes by another node.
   */
  readonly isRemote: boolean;
  readonly schema: Schema;
  /** Read-only, each statement separately. */
  readonly reader: Reader;
  /**
   * Reader for the few small queries at the beginning of every request. On PostgreSQL they share
   * few connections, on which they are sent together, so a long query would delay all others there.
   */
  readonly quickReader: Reader;
  /**
   * Reader for one request: whether cached data is up to date is checked at its first use and after
   * each write of this process, not at every use.
   */
  openReader(): Reader;
  /**
   * Queues a write. Writes of a realm run one after another; waiting ones share one commit, each in
   * a savepoint of its own, so that one that throws is rolled back alone. `run` may await nothing
   * but the database. Resolves after the commit; `settled` is called between the commit and that.
   * `newMessages`: about how many messages it will store.
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
   * already has an entry about it.
   */
  isAway(): boolean;
  /**
   * Checks whether another process has written; calls `changedElsewhere` if so. Costs microseconds.
   */
  lookElsewhere(): void;
  /** Ends the process, through `fatal`, when the data files have been moved or removed. */
  lookInPlace(): void;
  /** Tells the other nodes that a realm's log has new entries. */
  announce(realmId: number): void;
  /**
   * Sends a short text (under 7,000 bytes) to the other nodes, at most once and without storing it;
   * undefined where there are none.
   */
  readonly broadcast: ((text: string) => void) | undefined;
  /** Tells the time of the database's own clock (UNIX milliseconds); undefined where it has none. */
  readonly readClock: (() => Promise<number>) | undefined;
  /** Counts nothing and asks nobody: costs microseconds. */
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
 * Tells a write that it is on disk. Errors of its callbacks are reported, but do not affect its
 * caller or later writes, because it can no longer be rolled back.
 */
export function settle(job: WriteJob, value: unknown, commit: Committed, hooks: EngineHooks) {
  try {
    job.settled(value, commit);
  } catch (error) {
    hooks.warn("settling_failed", { realm: job.realmId, error: String(error) });
  }
}
