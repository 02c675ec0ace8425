import { isNotNull } from "drizzle-orm";
import type { Columns } from "./columns";
import { personOrNull } from "./traits";

/** Waiting background work, and work that has failed for good. Times are UNIX seconds. */
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
    {
      of: "nobody",
      notExported: "made anew from what they are for",
      holds: { holderId: personOrNull },
      onPersonDeleted: { keep: "their work ends when it finds nobody" },
      changes: "notLogged",
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      name: text("name").notNull(),
      /** At most one job has a given name and key. Null for jobs without this limit. */
      key: text("key"),
      /** Jobs of one name and lane run one after another, in the order of their ids. */
      lane: text("lane"),
      /** Person whose bot or device the job is for. Theirs leave places for those of others. */
      holderId: integer("holder_id"),
      payload: text("payload").notNull(),
      /**
       * Grows when the job is enqueued again under its key, so that the result of a worker on its
       * earlier version is ignored.
       */
      generation: integer("generation").notNull().default(0),
      /** When it is to run. */
      runAt: integer("run_at").notNull(),
      /**
       * When a node may take it: `run_at`, the time of the next attempt, or the end of a lease;
       * null once it has failed.
       */
      dueAt: integer("due_at"),
      attempts: integer("attempts").notNull().default(0),
      /** Node that runs it, until `due_at`. */
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
      index("jobs_holder").on(t.realmId, t.name, t.holderId, t.dueAt).where(isNotNull(t.holderId)),
    ],
  );
  return { jobs };
}
