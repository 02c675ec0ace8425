import { and, eq } from "drizzle-orm";
import type { Tx } from "../../core/context";
import { flagsAdded } from "../events";
import { findMessages, isAmong } from "../queries";
import { markRead } from "./read-state";
import { listUnread } from "./unread";

/** How many messages are marked in one write, so that others do not wait long. */
const messagesMax = 2_000;

/**
 * Marks what somebody has not read of a sender as read, as much of it as one write may do; answers whether there may be
 * more. Announces `update_message_flags` to them.
 */
export async function readFromSender(
  tx: Tx,
  who: { realmId: number; userId: number },
  senderId: number,
): Promise<boolean> {
  const { realmId, userId } = who;
  const { messages } = tx.t;
  const unread = await listUnread(tx, who);
  const isUnread = isAmong(
    tx,
    messages.id,
    unread.map(({ id }) => id),
  );
  const theirs = await tx.db
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.realmId, realmId), eq(messages.senderId, senderId), isUnread))
    .limit(messagesMax);
  const ids = theirs.map(({ id }) => id).sort((a, b) => a - b);
  if (ids.length === 0) return false;
  await markRead(tx, realmId, userId, await findMessages(tx, realmId, ids), true);
  const event = flagsAdded({ operation: "add", flag: "read", messages: ids, all: false });
  await tx.emit({ to: "users", ids: [userId] }, event);
  return ids.length === messagesMax;
}
