import { and, asc, eq, gt } from "drizzle-orm";
import type { Tx } from "../../core/context";
import { findUnread } from "../../reading/unread/find-unread";
import { splitByReading } from "../../reading/unread/split-by-reading";
import { everywhere } from "../../reading/unread/unread-lines";
import { markRead } from "./change-read";
import { flagsAdded } from "./events";

/** Number of the sender's messages that one write checks, so that other writes do not wait long. */
const messagesMax = 2_000;

/**
 * Marks somebody's unread messages of a sender as read, among the next messages above an id.
 * Answers the last id that was checked, or undefined at the end. Announces `update_message_flags`
 * to them.
 */
export async function readFromSender(
  tx: Tx,
  who: { realmId: number; userId: number },
  senderId: number,
  above: number,
): Promise<number | undefined> {
  const { realmId, userId } = who;
  const [lowest] =
    (await findUnread(tx, who, everywhere, { side: "after", anchor: above, count: 1 })) ?? [];
  if (lowest === undefined) return undefined;
  const { messages } = tx.t;
  const theirs = await tx.db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.realmId, realmId),
        eq(messages.senderId, senderId),
        gt(messages.id, lowest - 1),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(messagesMax);
  const ids = theirs.map(({ id }) => id);
  const { unread } = await splitByReading(tx, who, ids);
  if (unread.length > 0) {
    const read = unread.sort((a, b) => a.id - b.id);
    await markRead(tx, realmId, userId, read, true);
    const event = flagsAdded({
      operation: "add",
      flag: "read",
      messages: read.map(({ id }) => id),
      all: false,
    });
    await tx.emit({ to: "users", ids: [userId] }, event);
  }
  return ids.length < messagesMax ? undefined : ids.at(-1);
}
