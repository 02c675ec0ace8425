import { eq, or } from "drizzle-orm";
import { type Given, statement } from "../../db/reader";
import type { App, RealmRow, Tx } from "../core/context";
import { describeError } from "../core/log";
import { notePublicHost, publicHost, siteOf } from "../core/network/site";
import { makeRandomId } from "../core/secrets/secrets";
import { onOutageOver } from "../core/storage/database-outage";
import { isTroubleOfDatabase, tellOwnFailure } from "../core/storage/database-trouble";
import { traced } from "../core/traced";
import { write } from "../core/write";
import type { AnyJob, JobContext } from "./define";
import {
  findHeld,
  giveBack,
  type Held,
  type JobRow,
  type Outcome,
  renewLease,
  replacesLost,
} from "./store";
import { endPauseSecondsMax, leaseSeconds, takeJob } from "./take-over";

const renewMilliseconds = 20_000;

const pauseSecondsFirst = 5;
const pauseSecondsMax = 4 * 3600;
/** Factor between two pauses: 5 s, 15 s, 45 s, … 4 h. */
const pauseGrowth = 3;

const errorLengthMax = 1_000;

/** Seconds to wait after this number of failed attempts. */
const pauseSeconds = (attempts: number) =>
  Math.min(pauseSecondsMax, pauseSecondsFirst * pauseGrowth ** Math.min(attempts - 1, 20));

/** An error for the list of jobs. PostgreSQL stores no NUL. */
function errorText(error: unknown): string {
  const { error: message } = describeError(error);
  return String(message).replaceAll("\0", "").toWellFormed().slice(0, errorLengthMax);
}

const selectRealms = statement((db, { realms }, given: Given<{ realmId: number; host: string }>) =>
  db
    .select()
    .from(realms)
    .where(or(eq(realms.id, given.realmId), eq(realms.host, given.host))),
);

/** Context of a job. */
export const contextOfJob = (app: App, realm: RealmRow, { name }: AnyJob): JobContext => ({
  app,
  realm,
  now: app.clock.now(),
  actor: { kind: "job", name },
  reader: app.engine.reader,
  client: "Internal",
  requestId: makeRandomId(),
  url: siteOf({ app, realm }),
});

/** The lease is lost, so that another node may be at work on the job. */
class LeaseLostError extends Error {}

/**
 * One attempt at a job, from taking it to giving it back. It throws only when the database fails.
 */
export class JobAttempt {
  private readonly interruption = new AbortController();
  private isEnding = false;

  constructor(
    private readonly app: App,
    private readonly job: AnyJob,
    private readonly row: JobRow,
  ) {}

  /** When the server ends, work outside a write is given back, and does not count as an attempt. */
  interrupt() {
    this.isEnding = true;
    this.interruption.abort();
  }

  async run(): Promise<void> {
    const realm = await this.findRealm();
    if (!realm?.isActive || this.isEnding) return;
    const held = this.job.isLeased ? await this.lease(realm) : this.row;
    if (!held) return;
    const endRenewing = held.lease === null ? undefined : this.keepLease(realm, held);
    try {
      // The server may have been told to end while the job was being taken.
      this.interruption.signal.throwIfAborted();
      // The process of the last attempt ended without giving the job back, so the next one would
      // probably end, too.
      if (held.attempts > this.job.attemptsMax)
        throw new Error("The server ended during the last attempt.");
      const payload: unknown = JSON.parse(held.payload);
      const work = { name: `run ${this.job.name}`, kind: "internal" } as const;
      const finish = await traced(this.app, work, () =>
        this.job.run(this.context(realm), payload, this.interruption.signal),
      );
      if (this.interruption.signal.aborted && !this.isEnding) throw new LeaseLostError();
      const end = async (tx: Tx): Promise<Outcome> => {
        const again = await finish?.(tx, { ...this.context(realm), now: tx.now });
        return again ? { is: "again", ...again } : { is: "done" };
      };
      await this.settle(held, () => this.release(realm, held, end));
    } catch (error) {
      await this.fail(realm, held, error);
    } finally {
      endRenewing?.();
    }
  }

  /**
   * Stores the end of an attempt. The work of a leased job may have had effects outside, such as a
   * mail that was sent. So while the database cannot store its end or its error, storing it is
   * tried again, because the work must not be repeated, and nobody else knows the error. When the
   * server ends, there is one more try.
   */
  private async settle(held: Held, store: () => Promise<void>) {
    const { job, app } = this;
    for (let tries = 1; ; tries++) {
      // The signal is read before the try, because it also ends the pause before it.
      const isLast = this.interruption.signal.aborted;
      try {
        return await store();
      } catch (error) {
        if (held.lease === null || !isTroubleOfDatabase(error)) throw error;
        tellOwnFailure(app, "warn", "job_unsettled", error, { job: job.name, id: held.id });
        if (isLast) return;
        await this.pause(Math.min(endPauseSecondsMax, 2 ** (tries - 1)));
      }
    }
  }

  /** Waits some seconds, but not after an interruption or when the database is back. */
  private async pause(seconds: number) {
    const { signal } = this.interruption;
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    signal.addEventListener("abort", end);
    const endWaiting = this.app.clock.after(seconds * 1_000, end);
    const endListening = onOutageOver(this.app, end);
    await promise;
    endWaiting();
    endListening();
    signal.removeEventListener("abort", end);
  }

  /** The job's realm. The realm with the configured host is read too, for the address of links. */
  private async findRealm(): Promise<RealmRow | undefined> {
    const { app } = this;
    const { realmId } = this.row;
    const host = publicHost(app);
    const rows = await selectRealms(app.engine.reader, { realmId, host: host ?? "" });
    notePublicHost(
      app,
      rows.some((row) => row.host === host),
    );
    return rows.find(({ id }) => id === realmId);
  }

  private scope = (realm: RealmRow) => ({ app: this.app, realm, now: this.app.clock.now() });

  private context = (realm: RealmRow): JobContext => contextOfJob(this.app, realm, this.job);

  private async lease(realm: RealmRow): Promise<Held | undefined> {
    const held = await takeJob(this.app, this.row);
    if (held && replacesLost(this.row)) await this.tellLost(realm, held);
    return held;
  }

  private keepLease(realm: RealmRow, held: Held): () => void {
    const renew = async () => {
      const scope = this.scope(realm);
      const isHeld = await write(scope, (tx) => renewLease(tx, held, scope.now + leaseSeconds));
      if (!isHeld) this.interruption.abort();
    };
    return this.app.clock.every(renewMilliseconds, () => {
      renew().catch((error: unknown) => {
        tellOwnFailure(this.app, "warn", "job_lease_failed", error);
      });
    });
  }

  private async fail(realm: RealmRow, held: Held, error: unknown) {
    if (error instanceof LeaseLostError) return;
    const { job, app } = this;
    const attempts = held.lease === null ? held.attempts + 1 : held.attempts;
    if (this.isEnding) {
      // A job without a lease is on the list as it was.
      if (held.lease === null) return;
      return this.release(realm, held, async ({ now: at }) => ({
        is: "retried",
        at,
        attempts: attempts - 1,
      }));
    }
    const isOver = attempts >= job.attemptsMax || job.isFinal(error);
    const isExpected = isOver && job.onFinalFailure !== undefined && job.isFinal(error);
    if (!isExpected)
      tellOwnFailure(app, "warn", "job_failed", error, { job: job.name, id: held.id, attempts });
    await this.settle(held, async () => {
      if (!isOver) return this.record(realm, held, attempts, error);
      if (!job.onFinalFailure) return this.giveUp(realm, held, attempts, error);
      await this.doInstead(realm, held, attempts, error).catch((second: unknown) => {
        // The job stays as it is, because otherwise nobody would be told of its end.
        if (isTroubleOfDatabase(second)) throw second;
        return this.giveUp(realm, held, attempts, second);
      });
    });
  }

  private record(realm: RealmRow, held: Held, attempts: number, error: unknown) {
    return this.release(realm, held, async (tx) => ({
      is: "retried",
      at: tx.now + pauseSeconds(attempts),
      attempts,
      error: errorText(error),
    }));
  }

  private giveUp(realm: RealmRow, held: Held, attempts: number, error: unknown) {
    return this.release(realm, held, async () => ({
      is: "failed",
      attempts,
      error: errorText(error),
    }));
  }

  /**
   * Gives the job back, unless another node has taken it over, whose work goes on. Tells of the job
   * if it is lost by that.
   */
  private async release(realm: RealmRow, held: Held, end: (tx: Tx) => Promise<Outcome>) {
    const isLost = await write(
      this.scope(realm),
      async (tx) => (await findHeld(tx, held)) && giveBack(tx, held, await end(tx)),
    );
    if (isLost) await this.tellLost(realm, held);
  }

  /**
   * Tells that a job is lost because a newer one took its place. It is a write of its own, because
   * an error in it must not stop the newer job.
   */
  private async tellLost(realm: RealmRow, held: Held) {
    const { job, app } = this;
    const telling = write(this.scope(realm), async (tx) => {
      const ctx = { ...this.context(realm), now: tx.now };
      await job.onReplaced?.(tx, ctx, JSON.parse(held.payload));
    });
    await telling.catch((error: unknown) => {
      tellOwnFailure(app, "warn", "job_loss_untold", error, { job: job.name, id: held.id });
    });
  }

  private doInstead(realm: RealmRow, held: Held, attempts: number, error: unknown) {
    const { job } = this;
    const end: Outcome =
      job.staysFailed && !job.isFinal(error)
        ? { is: "failed", attempts, error: errorText(error) }
        : { is: "done" };
    return write(this.scope(realm), async (tx) => {
      if (!(await findHeld(tx, held))) return;
      await job.onFinalFailure?.(
        tx,
        { ...this.context(realm), now: tx.now },
        JSON.parse(held.payload),
        error,
      );
      await giveBack(tx, held, end);
    });
  }
}
