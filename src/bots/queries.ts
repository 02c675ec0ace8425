import { and, eq } from "drizzle-orm";
import { type Given, isIn, type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";

export type BotRow = Schema["bots"]["$inferSelect"];

const selectAmong = statement((db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
  db
    .select()
    .from(t.bots)
    .where(and(eq(t.bots.realmId, given.realmId), isIn(dialect, t.bots.userId, given.ids))),
);

/** What some bots have beside their accounts, by id; those that have nothing are left out. */
export async function findBotRows(reader: Reader, realmId: number, ids: readonly number[]) {
  const rows =
    ids.length === 0 ? [] : await selectAmong(reader, { realmId, ids: JSON.stringify(ids) });
  return new Map(rows.map((row): [number, BotRow] => [row.userId, row]));
}

/** What a bot has beside its account. */
export const findBotRow = async (
  reader: Reader,
  realmId: number,
  id: number,
): Promise<BotRow | undefined> => (await findBotRows(reader, realmId, [id])).get(id);
