import { and, asc, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { inChunks } from "../../core/chunks";

/** A text that a bot has stored, and its key. */
export interface Entry {
  key: string;
  value: string;
}

/** Entries of a bot, in the order of the keys. */
export async function listEntries(
  { db, t: { botStorage: s } }: Reader,
  realmId: number,
  userId: number,
) {
  return db
    .select({ key: s.key, value: s.value })
    .from(s)
    .where(and(eq(s.realmId, realmId), eq(s.userId, userId)))
    .orderBy(asc(s.key));
}

/** The entries of a bot with some keys. */
export async function findEntries(
  { db, t: { botStorage: s } }: Reader,
  realmId: number,
  userId: number,
  keys: readonly string[],
): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const some of inChunks([...new Set(keys.map((key) => key.toWellFormed()))])) {
    const isWanted = and(eq(s.realmId, realmId), eq(s.userId, userId), inArray(s.key, some));
    found.push(...(await db.select({ key: s.key, value: s.value }).from(s).where(isWanted)));
  }
  return found;
}
