import { and, asc, eq, gt } from "drizzle-orm";
import type { OfPerson, Tx } from "../../core/context";
import { findUnread } from "../../reading/unread/find-unread";
import { splitByReading } from "../../reading/unread/split-by-reading";
import { everywhere } from "../../reading/unread/unread-lines";
import { readUnasked } from "./read-unasked";

/** Number of the sender's messages that one write checks, so that other writes do not wait long. */
const messagesMax = 2_000;

/**
 * Marks somebody's unread messages of a sender as read, among the next messages above an id.
 * Answers the last id that was checked, or undefined at the end. Announces the event of
 * `readUnasked`.
 */
export async function readFromSender(
  tx: Tx,
  who: OfPerson,
  senderId: number,
  above: number,
): Promise<number | undefined> {
  const { realmId } = who;
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
  await readUnasked(
    tx,
    who,
    unread.map(({ id }) => id),
  );
  return ids.length < messagesMax ? undefined : ids.at(-1);
}
