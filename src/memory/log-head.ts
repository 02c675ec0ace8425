import { and, desc, eq, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";

const selectHead = statement((db, { eventLog }, given: Given<{ realmId: number }>) =>
  db
    .select({ head: sql<number>`max(${eventLog.id})`.mapWith(Number) })
    .from(eventLog)
    .where(eq(eventLog.realmId, given.realmId)),
);

/** The newest id of a realm's event log; 0 where it is empty. */
export async function readLogHead(reader: Reader, realmId: number): Promise<number> {
  const [row] = await selectHead(reader, { realmId });
  return row?.head ?? 0;
}

const selectUpTo = statement((db, { eventLog: t }, given: Given<{ realmId: number; id: number }>) =>
  db
    .select({ id: t.id, audience: t.audience, body: t.body, createdAt: t.createdAt })
    .from(t)
    .where(and(eq(t.realmId, given.realmId), lte(t.id, given.id)))
    .orderBy(desc(t.id))
    .limit(1),
);

/**
 * Digest of an entry's row. It tells the entry from another one that got its id after a failover,
 * unless time, audience and event of both are equal.
 */
export const digestOf = (row: { audience: string; body: string; createdAt: number }): number =>
  Bun.hash.crc32(row.body, Bun.hash.crc32(row.audience, row.createdAt));

/** An entry of a log by its id, with the digest by which it is told from another one. */
export interface LogPlace {
  id: number;
  digest: number;
}

/** The newest entry of a realm's log up to an id; undefined where there is none. */
export async function findEntryUpTo(
  reader: Reader,
  realmId: number,
  id: number,
): Promise<LogPlace | undefined> {
  const [row] = await selectUpTo(reader, { realmId, id });
  return row && { id: row.id, digest: digestOf(row) };
}

const selectIdUpTo = statement(
  (db, { eventLog: t }, given: Given<{ realmId: number; id: number }>) =>
    db
      .select({ id: sql<number>`max(${t.id})`.mapWith(Number) })
      .from(t)
      .where(and(eq(t.realmId, given.realmId), lte(t.id, given.id))),
);

/**
 * Whether an entry that a realm's log had is gone although an older one is there, or another one
 * has its id. Tidying never does that, because it deletes the oldest entries first.
 */
export async function lacksEntry(
  reader: Reader,
  realmId: number,
  { id, digest }: { id: number; digest?: number },
): Promise<boolean> {
  if (digest === undefined) {
    // Clients ask this way, and the row of an entry may be long.
    const [newest] = await selectIdUpTo(reader, { realmId, id });
    return newest !== undefined && newest.id > 0 && newest.id < id;
  }
  const newest = await findEntryUpTo(reader, realmId, id);
  return newest !== undefined && (newest.id < id || newest.digest !== digest);
}

/** The newest id of a realm's event log as a part of a query; null where it is empty. */
export const logHeadIn = ({ eventLog }: Reader["t"], realmId: SQLWrapper): SQL<number | null> =>
  sql`(select max(${eventLog.id}) from ${eventLog} where ${eventLog.realmId} = ${realmId})`;
