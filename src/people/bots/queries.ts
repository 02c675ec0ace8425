import { and, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { isIn } from "../../../db/sql/json";

export type BotRow = Schema["bots"]["$inferSelect"];

const selectAmong = statement((db, t, given: Given<{ realmId: number; ids: string }>, dialect) =>
  db
    .select()
    .from(t.bots)
    .where(and(eq(t.bots.realmId, given.realmId), isIn(dialect, t.bots.userId, given.ids))),
);

/** Facts about some bots in addition to their accounts, by id; bots without any are left out. */
export async function findBotRows(reader: Reader, realmId: number, ids: readonly number[]) {
  const rows =
    ids.length === 0 ? [] : await selectAmong(reader, { realmId, ids: JSON.stringify(ids) });
  return new Map(rows.map((row): [number, BotRow] => [row.userId, row]));
}

/** Facts about a bot in addition to its account. */
export const findBotRow = async (
  reader: Reader,
  realmId: number,
  id: number,
): Promise<BotRow | undefined> => (await findBotRows(reader, realmId, [id])).get(id);
