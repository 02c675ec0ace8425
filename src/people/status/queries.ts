import { and, eq, isNull } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";

type StatusRow = Reader["t"]["userStatuses"]["$inferSelect"];

const selectAmong = statement(
  (db, { userStatuses: s }, given: Given<{ realmId: number; ids: string }>, dialect) =>
    db
      .select()
      .from(s)
      .where(and(eq(s.realmId, given.realmId), isIn(dialect, s.userId, given.ids))),
);

/** Statuses of some people; a person without one is left out. */
export const findStatuses = async (
  reader: Reader,
  realmId: number,
  userIds: readonly number[],
): Promise<StatusRow[]> =>
  userIds.length === 0 ? [] : selectAmong(reader, { realmId, ids: JSON.stringify(userIds) });

const selectAll = statement(
  (db, { userStatuses: s, users: u }, given: Given<{ realmId: number }>) =>
    db
      .select({ status: s })
      .from(s)
      .innerJoin(u, and(eq(u.realmId, s.realmId), eq(u.id, s.userId)))
      .where(and(eq(s.realmId, given.realmId), eq(u.isActive, true), isNull(u.botType))),
);

/** Statuses of the active people of a realm. */
export const listStatuses = async (reader: Reader, realmId: number): Promise<StatusRow[]> =>
  (await selectAll(reader, { realmId })).map(({ status }) => status);
