import { and, asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { ReminderRow } from "./wire";

const selectOwn = statement(
  (db, { reminders: t }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select()
      .from(t)
      .where(and(eq(t.realmId, given.realmId), eq(t.userId, given.userId)))
      .orderBy(asc(t.deliverAt), asc(t.id)),
);

/** Reminders of somebody, the next one first. */
export const listReminders = (
  reader: Reader,
  realmId: number,
  userId: number,
): PromiseLike<ReminderRow[]> => selectOwn(reader, { realmId, userId });

/** A reminder of any person; undefined once it was delivered. */
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
