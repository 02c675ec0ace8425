import { and, eq, inArray, lt, lte, type SQL } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { daySeconds } from "../core/clock";
import type { App } from "../core/context";
import { write } from "../core/write";

/** Time that jobs which have failed for good stay visible to the operator. */
const failedKeptSeconds = 30 * daySeconds;
const rowsPerWrite = 500;

/** Deletes jobs that failed long ago, of all realms. */
export async function tidyJobs(app: App): Promise<void> {
  const failedBefore = app.clock.now() - failedKeptSeconds;
  await removeJobs(app, ({ jobs }) => lt(jobs.failedAt, failedBefore));
}

/**
 * Deletes jobs of all realms that are of no use any more, some hundreds at once. Calls `tell` with
 * each that it has deleted.
 */
async function removeJobs(
  app: App,
  isUseless: (t: Reader["t"]) => SQL | undefined,
  tell?: (removed: { id: number; name: string }) => void,
): Promise<void> {
  const { db, t } = app.engine.reader;
  const rows = await db
    .select({ id: t.jobs.id, realmId: t.jobs.realmId })
    .from(t.jobs)
    .where(isUseless(t))
    .limit(rowsPerWrite);
  for (const [realmId, ofRealm] of Map.groupBy(rows, (row) => row.realmId)) {
    const ids = ofRealm.map(({ id }) => id);
    const removed = await write({ app, realm: { id: realmId }, now: app.clock.now() }, (tx) => {
      const { jobs } = tx.t;
      return tx.db
        .delete(jobs)
        .where(and(eq(jobs.realmId, realmId), inArray(jobs.id, ids), isUseless(tx.t)))
        .returning({ id: jobs.id, name: jobs.name });
    });
    for (const job of removed) tell?.(job);
  }
}

/**
 * Deletes jobs of the named kinds, of all realms, that have been due for that long and that no node
 * has begun, some hundreds at once. Calls `tell` with each that it has deleted.
 */
export async function removeOverdue(
  app: App,
  names: readonly string[],
  overdueSeconds: number,
  tell: (removed: { id: number; name: string }) => void,
): Promise<void> {
  const dueBefore = app.clock.now() - overdueSeconds;
  const isOverdue = ({ jobs }: Reader["t"]) =>
    and(lte(jobs.dueAt, dueBefore), inArray(jobs.name, names));
  await removeJobs(app, isOverdue, tell);
}
