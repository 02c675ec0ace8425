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
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.realmId, given.realmId), lte(t.id, given.id)))
    .orderBy(desc(t.id))
    .limit(1),
);

/**
 * Whether an entry that a realm's log had is gone although an older one is there. Tidying never does
 * that, because it deletes the oldest entries first.
 */
export async function lacksEntry(reader: Reader, realmId: number, id: number): Promise<boolean> {
  const [newest] = await selectUpTo(reader, { realmId, id });
  return newest !== undefined && newest.id < id;
}

/** The newest id of a realm's event log as a part of a query; null where it is empty. */
export const logHeadIn = ({ eventLog }: Reader["t"], realmId: SQLWrapper): SQL<number | null> =>
  sql`(select max(${eventLog.id}) from ${eventLog} where ${eventLog.realmId} = ${realmId})`;
