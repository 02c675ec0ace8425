import { and, eq, gt, or, type SQL, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { cachedUntilChange } from "../../memory/until-change";

/**
 * Number of messages that may wait for the index while a realm is busy, or while a search waits for
 * them.
 */
const lagMax = 20_000;

type Database = Reader["db"];

/** The realms whose index lacks messages, with the newest ids of both. */
function lacking(db: Database, t: Schema, isWanted?: SQL) {
  const { realms, messages, searchProgress: progress, searchChanges: changes } = t;
  const reached = sql`coalesce((select ${progress.indexedUpTo} from ${progress} where ${progress.realmId} = ${realms.id}), 0)`;
  const newest = sql`coalesce((select max(${messages.id}) from ${messages} where ${messages.realmId} = ${realms.id}), 0)`;
  // Compares ids, because a query for a newer message would make PostgreSQL search all of them.
  const hasNew = sql`${newest} > ${reached}`;
  const hasChanged = sql`exists (select 1 from ${changes} where ${changes.realmId} = ${realms.id})`;
  return db
    .select({
      id: realms.id,
      newest: sql<number>`${newest}`.mapWith(Number),
      reached: sql<number>`${reached}`.mapWith(Number),
    })
    .from(realms)
    .where(and(isWanted, eq(realms.isActive, true), or(hasNew, hasChanged)));
}

export const selectLacking = statement((db, t) => lacking(db, t));
const selectOwnLack = statement((db, t, given: Given<{ realmId: number }>) =>
  lacking(db, t, eq(t.realms.id, given.realmId)),
);

/** Distance of a realm's index behind its messages. */
type Lag =
  | "none"
  /** A search can wait until it is up to date. */
  | "short"
  /** More than `lagMax` messages wait, as after an import: a search would wait for minutes. */
  | "long";

/** Number of realms for which the state of the index is cached. */
const realmsMax = 1_000;
const cachedLag = cachedUntilChange<Lag>(
  ["realms", "messages", "search_progress", "search_changes"],
  realmsMax,
);

export const findLag = (reader: Reader, realmId: number) =>
  cachedLag(reader, String(realmId), async () => {
    const [lack] = await selectOwnLack(reader, { realmId });
    if (!lack) return "none";
    const [changed] = await countChanged(reader, { realmId });
    // The ids between may belong to other realms, so messages are only counted where the distance
    // is large.
    const isNear = lack.newest - lack.reached <= lagMax;
    const [added] = isNear ? [] : await countNew(reader, { realmId, after: lack.reached });
    return (changed?.count ?? 0) + (added?.count ?? 0) > lagMax ? "long" : "short";
  });

const countOf = { count: sql<number>`count(*)`.mapWith(Number) };

/** Number of messages that are not indexed yet, counted up to one more than `lagMax`. */
const countNew = statement((db, { messages }, given: Given<{ realmId: number; after: number }>) => {
  const waiting = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.realmId, given.realmId), gt(messages.id, given.after)))
    .limit(lagMax + 1)
    .as("waiting");
  return db.select(countOf).from(waiting);
});

/**
 * Number of messages that were changed since they were indexed, as when a large topic was renamed.
 */
const countChanged = statement(
  (db, { searchChanges: changes }, given: Given<{ realmId: number }>) => {
    const waiting = db
      .select({ id: changes.messageId })
      .from(changes)
      .where(eq(changes.realmId, given.realmId))
      .limit(lagMax + 1)
      .as("waiting");
    return db.select(countOf).from(waiting);
  },
);

/** The newest message of a realm, if its index lacks anything; undefined if it lacks nothing. */
export async function findNewestLacking(
  reader: Reader,
  realmId: number,
): Promise<number | undefined> {
  return (await selectOwnLack(reader, { realmId }))[0]?.newest;
}

/** Whether the index has a message and all before it, with every change of these. */
export async function isIndexedUpTo(
  reader: Reader,
  realmId: number,
  newest: number,
): Promise<boolean> {
  const [lack] = await selectOwnLack(reader, { realmId });
  if (!lack) return true;
  const [changed] = await countChanged(reader, { realmId });
  return lack.reached >= newest && changed?.count === 0;
}
