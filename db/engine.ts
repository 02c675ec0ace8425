import type { Reader } from "./reader";
import type { Dialect, Schema } from "./schema";

/** A write that has reached the disk, as told to `EngineHooks.committed`. */
export interface Committed {
  realmId: number;
  /** The realm's newest log id before the group of writes that this one was committed with. */
  logHeadBefore: number;
}

export interface EngineHooks {
  /** Writes are on disk; called after their callers have been answered. */
  flushed(): void;
  /** Another process has written to this database; `realmId` where the engine can tell. */
  changedElsewhere(realmId?: number): void;
  /** A message that another node sent with `broadcast`. */
  received(text: string): void;
  /** The disk can no longer be trusted: the process must end. */
  fatal(error: unknown): void;
  /** Something to be looked at that did not stop the work. */
  warn(event: string, fields: Record<string, unknown>): void;
}

/** Tools of a write. */
export interface Transaction extends Reader {
  /**
   * The tables that the write has changed so far, where it takes more than the log's other entries
   * to notice that.
   */
  readonly written: ReadonlySet<string>;
  /**
   * On PostgreSQL: the id for the next new message, above all before it, so that nobody waits until
   * its row is stored. All messages are stored with such ids.
   */
  readonly nextMessageId?: () => Promise<number>;
  /**
   * Takes over a statement whose result the write does not wait for. It is done before the commit;
   * where it fails, the write has failed. On PostgreSQL the next write's statements then travel
   * with it.
   */
  defer(statement: PromiseLike<unknown>): void;
}

/** One of the two databases, seen alike. */
export interface Engine {
  readonly dialect: Dialect;
  /**
   * Whether the database is a server of its own, which other nodes may use too. Each statement is
   * then a way there and back, and only a query tells of changes by another node.
   */
  readonly isRemote: boolean;
  readonly schema: Schema;
  /** Read-only, each statement for itself. */
  readonly reader: Reader;
  /**
   * Reader for the few small reads that every request begins with. On PostgreSQL they share few
   * connections, on which they travel together: what takes long would hold up all others there.
   */
  readonly quickReader: Reader;
  /**
   * Reader for one request: what is remembered of the data is compared with them when it is used
   * first and after each write of this process, not at every use.
   */
  openReader(): Reader;
  /**
   * Queues a write. Writes of a realm run one after the other; those that wait together share one
   * commit, each in a savepoint of its own: one that throws is undone alone. `run` may await
   * nothing but the database. Resolves after the commit; `settled` is called between the commit and
   * that. `newMessages`: how many it is likely to store.
   */
  write<T>(
    realmId: number,
    run: (tx: Transaction) => Promise<T>,
    settled: (value: T, commit: Committed) => void,
    newMessages?: number,
  ): Promise<T>;
  /** Reads several things as of one moment. `run` may await nothing but the database. */
  snapshot<T>(run: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Whether the database does not answer at the moment: whatever is asked of it fails at once. The
   * log was told when it began.
   */
  isAway(): boolean;
  /**
   * Looks whether another process has written; calls `changedElsewhere` if so. Costs microseconds.
   */
  lookElsewhere(): void;
  /**
   * Ends the process, through `fatal`, where the files of the data do not stand under their names
   * any more.
   */
  lookInPlace(): void;
  /** Tells the other nodes that a realm's log has grown. */
  announce(realmId: number): void;
  /**
   * Sends a short text (under 7,000 bytes) to the other nodes, at most once and without storing it;
   * undefined where there are none.
   */
  readonly broadcast: ((text: string) => void) | undefined;
  /** Waits for queued writes, then lets go of the data. */
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
 * Tells a write that it is on disk. Errors in doing so are reported, and stop neither its caller
 * nor the writes after it: it cannot be undone any more.
 */
export function settle(job: WriteJob, value: unknown, commit: Committed, hooks: EngineHooks) {
  try {
    job.settled(value, commit);
  } catch (error) {
    hooks.warn("settling_failed", { realm: job.realmId, error: String(error) });
  }
}
