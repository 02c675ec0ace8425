import { and, asc, eq, sql } from "drizzle-orm";
import type { App } from "../core/context";
import { notFound } from "../core/errors";
import { write } from "../core/write";

/** A job as the operator sees it. Times are UNIX seconds. */
export interface ListedJob {
  id: number;
  realm: string;
  name: string;
  key: string | null;
  state: "waiting" | "running" | "failed";
  attempts: number;
  /** When it runs next; null where it does not. */
  due_at: number | null;
  created_at: number;
  last_error: string | null;
}

/** What the operator does with jobs, of all realms. */
export interface JobList {
  /** Those that are still to be done and those that have failed for good, oldest first. */
  list(which?: { onlyFailed?: boolean }): Promise<ListedJob[]>;
  /** Lets some run now, with all of their attempts; what is running goes on. Refuses all if there is none of an id (404). */
  retry(ids: readonly number[]): Promise<ListedJob[]>;
  /** Takes some off the list. Refuses all if there is none of an id (404). */
  remove(ids: readonly number[]): Promise<ListedJob[]>;
}

export function makeJobList(app: () => App): JobList {
  const find = async (id: number) => {
    const found = (await readJobs(app(), id))[0];
    if (!found) throw notFound(`There is no job ${id}. It may be done: look at the list.`);
    return found;
  };
  const change = async ({ realmId, listed: { id } }: FoundJob, run: "retry" | "remove") => {
    const scope = { app: app(), realm: { id: realmId }, now: app().clock.now() };
    await write(scope, async (tx) => {
      const { jobs } = tx.t;
      const isIt = and(eq(jobs.realmId, realmId), eq(jobs.id, id));
      if (run === "remove") return void (await tx.db.delete(jobs).where(isIt));
      const dueAt = sql`case when ${jobs.lease} is null then ${tx.now} else ${jobs.dueAt} end`;
      await tx.db.update(jobs).set({ dueAt, attempts: 0, failedAt: null }).where(isIt);
      tx.afterCommit(() => app().jobs.wake(tx.now));
    });
  };
  const changeAll = async (ids: readonly number[], run: "retry" | "remove") => {
    const found: FoundJob[] = [];
    for (const id of new Set(ids)) found.push(await find(id));
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

interface FoundJob {
  realmId: number;
  listed: ListedJob;
}

async function readJobs({ engine, clock }: App, id?: number): Promise<FoundJob[]> {
  const { db, t } = engine.reader;
  const rows = await db
    .select({ job: t.jobs, realm: t.realms.host })
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
      ...{ id: job.id, realm, name, key, state, attempts },
      ...{ due_at: isRunning ? null : dueAt, created_at: createdAt, last_error: lastError },
    };
    return { realmId: job.realmId, listed };
  });
}
