import { sql } from "drizzle-orm";
import type { Reader } from "../../db/reader";

/** Jobs of one kind that are on the list. */
export interface JobCounts {
  name: string;
  waiting: number;
  running: number;
  failed: number;
  /** When the first of them that waits is or was due (UNIX seconds); undefined where none waits. */
  firstDueAt: number | undefined;
}

/** Counts the jobs of all realms by kind and state, in one query. */
export async function countJobs({ db, t }: Reader, now: number): Promise<JobCounts[]> {
  const { jobs } = t;
  const isRunning = sql`${jobs.lease} is not null and ${jobs.dueAt} > ${now}`;
  const isFailed = sql`${jobs.failedAt} is not null`;
  const isWaiting = sql`not (${isFailed}) and not (${isRunning})`;
  const countIf = (condition: typeof isFailed) =>
    sql<number>`sum(case when ${condition} then 1 else 0 end)`.mapWith(Number);
  const rows = await db
    .select({
      name: jobs.name,
      waiting: countIf(isWaiting),
      running: countIf(isRunning),
      failed: countIf(isFailed),
      firstDueAt: sql<number | null>`min(case when ${isWaiting} then ${jobs.dueAt} end)`,
    })
    .from(jobs)
    .groupBy(jobs.name);
  return rows.map((row) => ({
    ...row,
    firstDueAt: row.firstDueAt === null ? undefined : Number(row.firstDueAt),
  }));
}
