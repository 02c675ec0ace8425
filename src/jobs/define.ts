import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { App, Context, Tx } from "../core/context";
import { cancelRow, enqueueRow } from "./store";

export type JobContext = Context<{ kind: "job"; name: string }>;

/**
 * Answer of a job that is not done yet: it runs again at that time (UNIX seconds), with this
 * payload.
 */
export interface Again<Payload> {
  payload: Payload;
  at: number;
}

/**
 * The end of a job: what it changes in the database, in the very write that takes the job off the
 * list, so that it happens exactly once. It may await nothing but the database.
 */
export type Finish<Payload> = (tx: Tx, ctx: JobContext) => Promise<Again<Payload> | undefined>;

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
   * Whether it waits for somebody outside of the server. Such kinds are worked off each for itself,
   * and no realm takes all of a kind's places: who answers slowly holds up nobody else.
   */
  isOutside?: boolean;
  /** Whether trying again after such an error is of no use. */
  isFinal?(error: unknown): boolean;
  /**
   * Function that runs when the job fails for good, in the write that takes it off the list, and
   * when the operator takes it off; without this it stays there as failed.
   */
  instead?(tx: Tx, ctx: JobContext, payload: Payload, error: unknown): Promise<void>;
}

interface Enqueued {
  /** UNIX seconds; now if left out. */
  at?: number;
  /** Of a key there is one job at the most: a new one takes the place of the one that waits. */
  key?: string;
  /** Jobs of a lane run one after the other, as they came. */
  lane?: string;
}

/** Place that a job is enqueued from: the context of the write. */
type Place = { app: Pick<App, "jobs">; realm: { id: number } };

/** A job as the runner sees it, its payload not looked at yet. */
export interface AnyJob {
  readonly name: string;
  readonly isLeased: boolean;
  readonly isOutside: boolean;
  readonly attemptsMax: number;
  run(ctx: JobContext, payload: unknown, signal: AbortSignal): Promise<Finish<unknown> | undefined>;
  isFinal(error: unknown): boolean;
  readonly instead:
    | ((tx: Tx, ctx: JobContext, payload: unknown, error: unknown) => Promise<void>)
    | undefined;
}

/** The way onto the list for background work of one kind. */
export interface JobEntry<Payload> {
  /** Puts the job on the list, in the write that causes it. */
  enqueue(tx: Tx, place: Place, payload: Payload, how?: Enqueued): Promise<void>;
  /**
   * Takes the one of that key off the list, also one that has failed. Work that a node does on it
   * outside a write goes on.
   */
  cancel(tx: Tx, place: Place, key: string): Promise<void>;
}

/** Background work of one kind. */
export interface Job<Payload> extends AnyJob, JobEntry<Payload> {}

/** About two days, with the pauses between. */
const attemptsMaxDefault = 20;

/**
 * Entry for enqueuing jobs of a kind, for modules that may not import the work that is done then.
 * `name` is the one that `defineJob` is given.
 */
export function jobEntry<Payload>(name: string): JobEntry<Payload> {
  return {
    async enqueue(tx, { app, realm }, payload, { at = tx.now, key, lane } = {}) {
      await enqueueRow(tx, realm.id, { name, key, lane, payload: JSON.stringify(payload), at });
      tx.afterCommit(() => app.jobs.wake(at, name));
    },
    cancel: (tx, { realm }, key) => cancelRow(tx, realm.id, name, key),
  };
}

/**
 * Declares background work that outlives the process: `run` is tried until it succeeds, on
 * whichever node; killed between any two lines it runs again. Its changes of the database belong
 * into the `Finish` that it answers. The feature's manifest names it. `signal` fires when the
 * server ends or the lease is lost.
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
  const { isLeased = false, isOutside = false, attemptsMax = attemptsMaxDefault } = options;
  const { isFinal = () => false, instead } = options;
  const read = (payload: unknown): Static<Schema> => {
    if (Value.Check(schema, payload)) return payload;
    throw new Error(`The payload of the job ${name} is not of its form.`);
  };
  return {
    name,
    isLeased,
    isOutside,
    attemptsMax,
    isFinal,
    ...jobEntry<Static<Schema>>(name),
    run: async (ctx, payload, signal) => run(ctx, read(payload), signal),
    instead: instead && ((tx, ctx, payload, error) => instead(tx, ctx, read(payload), error)),
  };
}
