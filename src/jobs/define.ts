import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { App, Context, Tx } from "../core/context";
import { cancelRow, enqueueRow, type Holder } from "./store";

export type JobContext = Context<{ kind: "job"; name: string }>;

/**
 * Answer of a job that is not done yet: it runs again with this payload at that time (UNIX
 * seconds).
 */
interface LaterRun<Payload> {
  payload: Payload;
  at: number;
}

/**
 * The end of a job: its changes of the database. They happen in the write that removes the job from
 * the list, and so exactly once. It may await nothing but the database.
 */
export type Finish<Payload> = (tx: Tx, ctx: JobContext) => Promise<LaterRun<Payload> | undefined>;

interface JobOptions<Payload> {
  /**
   * Whether only one node runs the job at a time: for jobs that take long or have effects outside
   * the database. Otherwise `run` only reads, several nodes may do that at once, and the first
   * one's `Finish` counts.
   */
  isLeased?: boolean;
  /** Number of tries before it has failed for good. */
  attemptsMax?: number;
  /**
   * Whether the job waits for another server. Each such kind has its own places, and no realm may
   * use all of them, so that a slow server delays only jobs of this kind and realm.
   */
  isOutside?: boolean;
  /**
   * Whether the job works for long without waiting for another server. Each such kind has places
   * of its own, so that other work inside this server begins in time.
   */
  isLong?: boolean;
  /**
   * Whether this server can run the job with its configuration. Otherwise the job waits for another
   * node, or until the configuration has changed.
   */
  canRun?(app: App): boolean;
  /** Whether an error makes further attempts useless. */
  isFinal?(error: unknown): boolean;
  /**
   * Runs when the job fails for good, in the write that removes it from the list, and when the
   * operator removes it. Without this function a failed job stays on the list.
   */
  onFinalFailure?(tx: Tx, ctx: JobContext, payload: Payload, error: unknown): Promise<void>;
  /**
   * Whether a job whose attempts are used up stays on the list as failed, although it has an
   * `onFinalFailure`, because the operator may have it done by a retry. One that failed by an error
   * that is final leaves the list.
   */
  staysFailed?: boolean;
  /**
   * Runs after a job was begun and not done, if a newer one for its holder's bot or device has
   * taken its place, because too many wait. The job then never runs again. After its process was
   * killed, `payload` is that of the newer job.
   */
  onReplaced?(tx: Tx, ctx: JobContext, payload: Payload): Promise<void>;
}

interface Enqueued {
  /** UNIX seconds; now if left out. */
  at?: number;
  /** At most one job has a key: a new one replaces the waiting one. */
  key?: string;
  /** Jobs of a lane run one after another, in order. */
  lane?: string;
  /**
   * Person whose bot or device the job is for. Where another server keeps their jobs waiting, those
   * of others go on, and only so many of theirs wait (`waitingMax`).
   */
  holder?: Holder | undefined;
  /** Runs in the write if the job takes the place of a waiting one, which then never runs. */
  onDropped?: () => Promise<void>;
}

/** Place that a job is enqueued from: the context of the write. */
type Place = { app: Pick<App, "jobs">; realm: { id: number } };

/** A job for the runner, whose payload is not checked yet. */
export interface AnyJob {
  readonly name: string;
  readonly isLeased: boolean;
  readonly isOutside: boolean;
  readonly isLong: boolean;
  readonly attemptsMax: number;
  run(ctx: JobContext, payload: unknown, signal: AbortSignal): Promise<Finish<unknown> | undefined>;
  canRun(app: App): boolean;
  isFinal(error: unknown): boolean;
  readonly onFinalFailure:
    | ((tx: Tx, ctx: JobContext, payload: unknown, error: unknown) => Promise<void>)
    | undefined;
  readonly staysFailed: boolean;
  readonly onReplaced: ((tx: Tx, ctx: JobContext, payload: unknown) => Promise<void>) | undefined;
}

/** Enqueues and cancels background work of one kind. */
export interface JobEntry<Payload> {
  /** Puts the job on the list, as part of the write that causes it. */
  enqueue(tx: Tx, place: Place, payload: Payload, how?: Enqueued): Promise<void>;
  /**
   * Removes the job with that key from the list, even if it has failed. Work that a node is doing
   * on it outside a write continues.
   */
  cancel(tx: Tx, place: Place, key: string): Promise<void>;
}

/** Background work of one kind. */
export interface Job<Payload> extends AnyJob, JobEntry<Payload> {}

/** About two days, including the pauses. */
const attemptsMaxDefault = 20;

/**
 * Entry for enqueuing jobs of a kind, for modules that may not import the code that runs them.
 * `name` is the one given to `defineJob`.
 */
export function jobEntry<Payload>(name: string): JobEntry<Payload> {
  return {
    async enqueue(tx, { app, realm }, payload, { at = tx.now, key, lane, holder, onDropped } = {}) {
      const job = { name, key, lane, holder, payload: JSON.stringify(payload), at };
      const isDropped = await enqueueRow(tx, realm.id, job);
      tx.afterCommit(() => app.jobs.wake(at, name));
      if (isDropped) await onDropped?.();
    },
    cancel: (tx, { realm }, key) => cancelRow(tx, realm.id, name, key),
  };
}

/**
 * Declares background work that outlives the process: `run` is repeated until it succeeds, on any
 * node, and after a crash at any point. Its changes of the database belong in the `Finish` that it
 * answers. The feature's manifest names the job. `signal` fires when the server ends or the lease
 * is lost.
 */
export function defineJob<Schema extends TSchema>(
  name: string,
  schema: Schema,
  run: (
    ctx: JobContext,
    payload: Static<Schema>,
    signal: AbortSignal,
  ) => Promise<Finish<Static<Schema>> | undefined>,
  options: JobOptions<Static<Schema>> = {},
): Job<Static<Schema>> {
  const { isLeased = false, isOutside = false, isLong = false } = options;
  const {
    attemptsMax = attemptsMaxDefault,
    canRun = () => true,
    isFinal = () => false,
    onFinalFailure,
    staysFailed = false,
    onReplaced,
  } = options;
  const read = (payload: unknown): Static<Schema> => {
    if (Value.Check(schema, payload)) return payload;
    throw new Error(`The payload of the job ${name} is not of its form.`);
  };
  return {
    name,
    isLeased,
    isOutside,
    isLong,
    attemptsMax,
    canRun,
    isFinal,
    staysFailed,
    ...jobEntry<Static<Schema>>(name),
    run: async (ctx, payload, signal) => run(ctx, read(payload), signal),
    onFinalFailure:
      onFinalFailure &&
      ((tx, ctx, payload, error) => onFinalFailure(tx, ctx, read(payload), error)),
    onReplaced: onReplaced && ((tx, ctx, payload) => onReplaced(tx, ctx, read(payload))),
  };
}
