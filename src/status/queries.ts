import { and, eq, isNull, sql } from "drizzle-orm";
import { isAmongIds, type Reader, statement } from "../../db/reader";

type StatusRow = Reader["t"]["userStatuses"]["$inferSelect"];

const selectAmong = statement((db, { userStatuses: s }, dialect) =>
  db
    .select()
    .from(s)
    .where(and(eq(s.realmId, sql.placeholder("realmId")), isAmongIds(dialect, s.userId))),
);

/** What some people say of themselves; who says nothing is not among them. */
export const findStatuses = async (
  reader: Reader,
  realmId: number,
  userIds: readonly number[],
): Promise<StatusRow[]> => (userIds.length === 0 ? [] : selectAmong(reader, { realmId, ids: JSON.stringify(userIds) }));

const selectAll = statement((db, { userStatuses: s, users: u }) =>
  db
    .select({ status: s })
    .from(s)
    .innerJoin(u, and(eq(u.realmId, s.realmId), eq(u.id, s.userId)))
    .where(and(eq(s.realmId, sql.placeholder("realmId")), eq(u.isActive, true), isNull(u.botType))),
);

/** What the active people of a realm say of themselves. */
export const listStatuses = async (reader: Reader, realmId: number): Promise<StatusRow[]> =>
  (await selectAll(reader, { realmId })).map(({ status }) => status);
