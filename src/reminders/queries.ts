import { and, asc, eq, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { ReminderRow } from "./wire";

const selectOwn = statement((db, { reminders: t }) =>
  db
    .select()
    .from(t)
    .where(and(eq(t.realmId, sql.placeholder("realmId")), eq(t.userId, sql.placeholder("userId"))))
    .orderBy(asc(t.deliverAt), asc(t.id)),
);

/** What somebody wants to be reminded of, what comes first first. */
export const listReminders = (reader: Reader, realmId: number, userId: number): PromiseLike<ReminderRow[]> =>
  selectOwn(reader, { realmId, userId });

/** A reminder, whoever's it is; undefined once it was delivered. */
export async function findReminder(
  { db, t: { reminders } }: Reader,
  realmId: number,
  id: number,
): Promise<ReminderRow | undefined> {
  const [row] = await db
    .select()
    .from(reminders)
    .where(and(eq(reminders.realmId, realmId), eq(reminders.id, id)));
  return row;
}
