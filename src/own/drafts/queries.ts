import { and, asc, count, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { sumOfBytes } from "../../core/own-texts";
import type { DraftRow } from "./wire";

const selectOwn = statement(
  (db, { drafts: t }, given: Given<{ realmId: number; userId: number }>) =>
    db
      .select()
      .from(t)
      .where(and(eq(t.realmId, given.realmId), eq(t.userId, given.userId)))
      .orderBy(asc(t.editedAt), asc(t.id)),
);

/** Somebody's drafts, the last changed one at the end. */
export const listDrafts = (
  reader: Reader,
  realmId: number,
  userId: number,
): PromiseLike<DraftRow[]> => selectOwn(reader, { realmId, userId });

/** Number of somebody's drafts, and their bytes together. */
export async function measureDrafts(
  { db, t: { drafts } }: Reader,
  realmId: number,
  userId: number,
) {
  const [row] = await db
    .select({ count: count(), bytes: sumOfBytes(drafts.content) })
    .from(drafts)
    .where(and(eq(drafts.realmId, realmId), eq(drafts.userId, userId)));
  return row ?? { count: 0, bytes: 0 };
}
