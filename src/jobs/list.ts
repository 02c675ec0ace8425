import { and, asc, eq, sql } from "drizzle-orm";
import type { App, RealmRow, Tx } from "../core/context";
import { badRequest, notFound } from "../core/errors";
import { describeError } from "../core/log";
import { isTroubleOfDatabase } from "../core/storage/database-trouble";
import { write } from "../core/write";
import { contextOfJob } from "./attempt";
import type { AnyJob } from "./define";
import type { JobRow } from "./store";

/** A job as the operator sees it. Times are UNIX seconds. */
export interface ListedJob {
  id: number;
  realm: string;
  name: string;
  key: string | null;
  state: "waiting" | "running" | "failed";
  attempts: number;
  /** When it runs next; null if it will not. */
  due_at: number | null;
  created_at: number;
  last_error: string | null;
}

/** Actions of the operator on jobs, of all realms. */
export interface JobList {
  /** Waiting jobs and jobs that have failed for good, oldest first. */
  list(which?: { onlyFailed?: boolean }): Promise<ListedJob[]>;
  /**
   * Runs some jobs now, with all of their attempts; running ones continue. Refuses all if one of
   * the ids does not exist (404).
   */
  retry(ids: readonly number[]): Promise<ListedJob[]>;
  /**
   * Removes some jobs from the list, and runs the `onFinalFailure` of their kinds, which notifies
   * waiting people, unless it has run before. Refuses all if one of the ids does not exist (404).
   */
  remove(ids: readonly number[]): Promise<ListedJob[]>;
}

export function makeJobList(app: () => App, kinds: readonly AnyJob[]): JobList {
  const loadJob = async (id: number) => {
    const found = (await readJobs(app(), id))[0];
    if (!found) throw notFound(`There is no job ${id}. It may be done: see chatd admin jobs list.`);
    return found;
  };
  const change = (found: FoundJob, run: "retry" | "remove") =>
    run === "retry" ? retryNow(app(), found) : removeJob(app(), found, kinds);
  const changeAll = async (ids: readonly number[], run: "retry" | "remove") => {
    const found: FoundJob[] = [];
    for (const id of new Set(ids)) found.push(await loadJob(id));
    for (const one of found) await change(one, run);
    return found.map(({ listed }) => listed);
  };
  return {
    async list({ onlyFailed = false } = {}) {
      const jobs = (await readJobs(app())).map(({ listed }) => listed);
      return onlyFailed ? jobs.filter(({ state }) => state === "failed") : jobs;
    },
    retry: (ids) => changeAll(ids, "retry"),
    remove: (ids) => changeAll(ids, "remove"),
  };
}

const isJob = ({ t: { jobs } }: Tx, { row }: FoundJob) =>
  and(eq(jobs.realmId, row.realmId), eq(jobs.id, row.id));

const scopeOf = (app: App, { row }: FoundJob) => ({
  app,
  realm: { id: row.realmId },
  now: app.clock.now(),
});

async function retryNow(app: App, found: FoundJob) {
  await write(scopeOf(app, found), async (tx) => {
    const { jobs } = tx.t;
    const dueAt = sql`case when ${jobs.lease} is null then ${tx.now} else ${jobs.dueAt} end`;
    // A leased job without attempts would be one that was replaced.
    const attempts = sql`case when ${jobs.lease} is null then 0 else ${jobs.attempts} end`;
    await tx.db.update(jobs).set({ dueAt, attempts, failedAt: null }).where(isJob(tx, found));
    tx.afterCommit(() => app.jobs.wake(tx.now));
  });
}

/**
 * A job must leave the list even if its `onFinalFailure` throws, but not because of trouble of the
 * database, which passes.
 */
async function removeJob(app: App, found: FoundJob, kinds: readonly AnyJob[]) {
  const kind = kinds.find(({ name }) => name === found.row.name);
  const removeIn = (tx: Tx) =>
    tx.db.delete(tx.t.jobs).where(isJob(tx, found)).returning({ id: tx.t.jobs.id });
  await write(scopeOf(app, found), async (tx) => {
    const removed = await removeIn(tx);
    if (removed.length === 0 || !kind?.onFinalFailure) return;
    if (kind.staysFailed && found.row.failedAt !== null) return;
    const { realm } = found;
    const ctx = { ...contextOfJob(app, realm, kind), now: tx.now };
    if (realm.isActive)
      await kind.onFinalFailure(
        tx,
        ctx,
        JSON.parse(found.row.payload),
        badRequest(deletedByOperator),
      );
  }).catch(async (error: unknown) => {
    if (isTroubleOfDatabase(error)) throw error;
    app.log.warn("job_not_told_of", {
      job: found.row.name,
      id: found.row.id,
      ...describeError(error),
    });
    await write(scopeOf(app, found), removeIn);
  });
}

const deletedByOperator = "Whoever runs the server has deleted it.";

interface FoundJob {
  row: JobRow;
  realm: RealmRow;
  listed: ListedJob;
}

async function readJobs({ engine, clock }: App, id?: number): Promise<FoundJob[]> {
  const { db, t } = engine.reader;
  const rows = await db
    .select({ job: t.jobs, realm: t.realms })
    .from(t.jobs)
    .innerJoin(t.realms, eq(t.realms.id, t.jobs.realmId))
    .where(id === undefined ? undefined : eq(t.jobs.id, id))
    .orderBy(asc(t.jobs.id));
  const now = clock.now();
  return rows.map(({ job, realm }) => {
    const { name, key, attempts, dueAt, createdAt, lastError, failedAt } = job;
    const isRunning = job.lease !== null && dueAt !== null && dueAt > now;
    const state = failedAt !== null ? "failed" : isRunning ? "running" : "waiting";
    const listed: ListedJob = {
      id: job.id,
      realm: realm.host,
      name,
      key,
      state,
      attempts,
      due_at: isRunning ? null : dueAt,
      created_at: createdAt,
      last_error: lastError,
    };
    return { row: job, realm, listed };
  });
}
