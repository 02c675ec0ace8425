import { and, asc, count, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { sumOfBytes } from "../../core/own-texts";
import type { ScheduledMessageRow } from "./wire";

const selectOwn = statement(
  (db, { scheduledMessages: t }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select()
      .from(t)
      .where(and(eq(t.realmId, given.realmId), eq(t.userId, given.userId)))
      .orderBy(asc(t.deliverAt), asc(t.id)),
);

/** Scheduled messages of somebody, the next one first. */
export const listScheduledMessages = (
  reader: Reader,
  realmId: number,
  userId: number,
): PromiseLike<ScheduledMessageRow[]> => selectOwn(reader, { realmId, userId });

/** Number of somebody's scheduled messages, and their bytes together, including HTML. */
export async function measureScheduledMessages(
  { db, t: { scheduledMessages: scheduled } }: Reader,
  realmId: number,
  userId: number,
): Promise<{ count: number; bytes: number }> {
  const [row] = await db
    .select({ count: count(), bytes: sumOfBytes(scheduled.content, scheduled.renderedContent) })
    .from(scheduled)
    .where(and(eq(scheduled.realmId, realmId), eq(scheduled.userId, userId)));
  return row ?? { count: 0, bytes: 0 };
}

/** A scheduled message of any person; undefined once it is sent. */
export async function findScheduledMessage(
  { db, t: { scheduledMessages: scheduled } }: Reader,
  realmId: number,
  id: number,
): Promise<ScheduledMessageRow | undefined> {
  const [row] = await db
    .select()
    .from(scheduled)
    .where(and(eq(scheduled.realmId, realmId), eq(scheduled.id, id)));
  return row;
}
