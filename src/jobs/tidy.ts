import { and, eq, inArray, lt } from "drizzle-orm";
import { daySeconds } from "../core/clock";
import type { App } from "../core/context";
import { write } from "../core/write";

/** Time that jobs which have failed for good stay visible to the operator. */
const failedKeptSeconds = 30 * daySeconds;
const rowsPerWrite = 500;

/** Deletes jobs that failed long ago, of all realms. */
export async function tidyJobs(app: App): Promise<void> {
  const now = app.clock.now();
  const { db, t } = app.engine.reader;
  const rows = await db
    .select({ id: t.jobs.id, realmId: t.jobs.realmId })
    .from(t.jobs)
    .where(lt(t.jobs.failedAt, now - failedKeptSeconds))
    .limit(rowsPerWrite);
  for (const [realmId, failed] of Map.groupBy(rows, (row) => row.realmId)) {
    const ids = failed.map(({ id }) => id);
    await write({ app, realm: { id: realmId }, now }, async (tx) => {
      const { jobs } = tx.t;
      const isStillFailed = lt(jobs.failedAt, now - failedKeptSeconds);
      await tx.db
        .delete(jobs)
        .where(and(eq(jobs.realmId, realmId), inArray(jobs.id, ids), isStillFailed));
    });
  }
}
