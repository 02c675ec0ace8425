import { and, eq } from "drizzle-orm";
import type { Tx, UserRow } from "../../core/context";
import { newestUpdateId } from "./queries";

/**
 * Forgets when a person was present, in the write that deletes them. Their update id does not come
 * again, because clients that have it would take the next update for one that they know: the newest
 * update that is left gets it.
 */
export async function forgetPresenceIn(
  tx: Tx,
  { realmId, id: userId }: Pick<UserRow, "realmId" | "id">,
): Promise<void> {
  const { userPresences: p } = tx.t;
  const newest = await newestUpdateId(tx, realmId);
  await tx.db.delete(p).where(and(eq(p.realmId, realmId), eq(p.userId, userId)));
  const left = await newestUpdateId(tx, realmId);
  if (left === newest) return;
  const isNewestLeft = and(eq(p.realmId, realmId), eq(p.updateId, left));
  await tx.db.update(p).set({ updateId: newest }).where(isNewestLeft);
}
