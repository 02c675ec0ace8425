import { and, eq, sql } from "drizzle-orm";
import { isIn } from "../../../db/sql/json";
import { inChunks } from "../../core/chunks";
import type { Tx } from "../../core/context";
import { type Delivery, enqueueDelivery } from "./jobs";
import { listTargets, pushHolders } from "./queries";

/** Number of messages in one notification that withdraws others. */
const idsPerPush = 200;

/**
 * Withdraws notifications of somebody: of messages that they have read, or of all. In an
 * organization without devices it costs only a lookup in memory.
 */
export async function withdrawPushes(
  tx: Tx,
  realmId: number,
  userId: number,
  messages: readonly { id: number }[] | "all",
): Promise<void> {
  if (!(await pushHolders(tx, realmId)).has(userId)) return;
  const { pushedMessages: pushed } = tx.t;
  const isTheirs = and(eq(pushed.realmId, realmId), eq(pushed.userId, userId));
  const ids = messages === "all" ? undefined : JSON.stringify(messages.map(({ id }) => id));
  const isOne = ids === undefined ? undefined : isIn(tx.dialect, pushed.messageId, sql`${ids}`);
  const rows = await tx.db
    .delete(pushed)
    .where(and(isTheirs, isOne))
    .returning({ id: pushed.messageId, userId: pushed.userId });
  await enqueueRemovals(tx, realmId, rows);
}

/** Withdraws notifications of deleted messages, for everybody who got one. */
export async function withdrawGone(
  tx: Tx,
  realmId: number,
  messageIds: readonly number[],
): Promise<void> {
  if ((await pushHolders(tx, realmId)).size === 0) return;
  const { pushedMessages: pushed } = tx.t;
  const rows = await tx.db
    .delete(pushed)
    .where(
      and(
        eq(pushed.realmId, realmId),
        isIn(tx.dialect, pushed.messageId, sql`${JSON.stringify(messageIds)}`),
      ),
    )
    .returning({ id: pushed.messageId, userId: pushed.userId });
  await enqueueRemovals(tx, realmId, rows);
}

async function enqueueRemovals(
  tx: Tx,
  realmId: number,
  gone: readonly { id: number; userId: number }[],
) {
  if (gone.length === 0) return;
  const idsByUser = Map.groupBy(gone, ({ userId }) => userId);
  for (const target of await listTargets(tx, realmId, [...idsByUser.keys()])) {
    const ids = (idsByUser.get(target.userId) ?? []).map(({ id }) => id).sort((a, b) => a - b);
    for (const messageIds of inChunks(ids, idsPerPush))
      await enqueueDelivery(tx, { id: realmId }, { ...target, type: "remove", messageIds });
  }
}

/**
 * Withdraws a notification that was just delivered, if its message was read or deleted meanwhile,
 * because the earlier withdrawal may have arrived before it.
 */
export async function withdrawLate(
  tx: Tx,
  realmId: number,
  { messageIds, groupId: _, ...arrived }: Delivery,
) {
  const { pushedMessages: pushed } = tx.t;
  const isTheirs = and(eq(pushed.realmId, realmId), eq(pushed.userId, arrived.userId));
  const pushedRows = await tx.db
    .select({ id: pushed.messageId })
    .from(pushed)
    .where(and(isTheirs, isIn(tx.dialect, pushed.messageId, sql`${JSON.stringify(messageIds)}`)));
  if (pushedRows.length > 0) return;
  await enqueueDelivery(tx, { id: realmId }, { ...arrived, type: "remove", messageIds });
}
