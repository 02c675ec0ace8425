import { sql } from "drizzle-orm";
import type { Tx } from "../../core/context";

/**
 * Has somebody's missed messages checked again from a message on, because a mail waited so long
 * that its messages may have been read, changed or deleted.
 */
export async function lookAgainIn(
  tx: Tx,
  realmId: number,
  { userId, fromMessage }: { userId: number; fromMessage: number },
): Promise<void> {
  const { missedMail: t } = tx.t;
  const earlier = sql`case when excluded.from_message < ${t.fromMessage} then excluded.from_message else ${t.fromMessage} end`;
  await tx.db
    .insert(t)
    .values({ realmId, userId, fromMessage, dueAt: tx.now })
    .onConflictDoUpdate({ target: [t.realmId, t.userId], set: { fromMessage: earlier } });
}
