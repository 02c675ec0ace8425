import { isNotNull } from "drizzle-orm";
import type { Columns } from "./columns";

/**
 * Background work that is still to be done, or that has failed for good. Times are UNIX seconds.
 */
export function jobTables({
  table,
  identity,
  identityKey,
  integer,
  text,
  index,
  uniqueIndex,
}: Columns) {
  const jobs = table(
    "jobs",
    { of: "nobody", notExported: "made anew from what they are for", changes: "untold" },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      name: text("name").notNull(),
      /**
       * At most one job has a given name and key. Null for jobs of which there may be any number.
       */
      key: text("key"),
      /** Jobs of one name and lane run one after the other, in the order of their ids. */
      lane: text("lane"),
      payload: text("payload").notNull(),
      /**
       * Grows when the job is enqueued again under its key: whoever is at work on what it was
       * before is too late.
       */
      generation: integer("generation").notNull().default(0),
      /** When it is to run. */
      runAt: integer("run_at").notNull(),
      /**
       * When somebody may take it: `run_at`, the time of the next attempt, or the end of a lease;
       * null once it has failed.
       */
      dueAt: integer("due_at"),
      attempts: integer("attempts").notNull().default(0),
      /** Node that is at work on it, until `due_at`. */
      lease: text("lease"),
      lastError: text("last_error"),
      failedAt: integer("failed_at"),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("jobs_key").on(t.realmId, t.name, t.key).where(isNotNull(t.key)),
      index("jobs_due").on(t.dueAt).where(isNotNull(t.dueAt)),
      index("jobs_lane").on(t.realmId, t.name, t.lane, t.id).where(isNotNull(t.lane)),
    ],
  );
  return { jobs };
}
