import { and, eq, sql } from "drizzle-orm";
import { isIn } from "../../../db/sql/json";
import type { Tx } from "../../core/context";

/**
 * Deletes all drafts of people who have turned off their synchronization. The event of that setting
 * announces it: their clients keep their own drafts.
 */
export async function forgetDraftsIn(
  tx: Tx,
  realmId: number,
  userIds: readonly number[],
): Promise<void> {
  const { drafts } = tx.t;
  const isTheirs = isIn(tx.dialect, drafts.userId, sql`${JSON.stringify(userIds)}`);
  await tx.db.delete(drafts).where(and(eq(drafts.realmId, realmId), isTheirs));
}
