import type { OfPerson, Tx } from "../../core/context";
import { roles } from "../../core/rights/role";
import { filterReadable, findPlaces } from "../../reading/queries";
import { markRead } from "./change-read";
import { flagsAdded } from "./events";

/**
 * Marks unread messages of somebody as read without their request. Announces
 * `update_message_flags` to them, with the messages that they may read: the history of a channel
 * may have become protected, and then nothing tells which of the older messages are still there.
 */
export async function readUnasked(tx: Tx, who: OfPerson, ids: readonly number[]) {
  if (ids.length === 0) return;
  const unread = await findPlaces(tx, who.realmId, [...ids]);
  await markRead(tx, who, unread);
  // Messages are unread only in channels that one is subscribed to, where no role reads more.
  const readable = await filterReadable(tx, { ...who, role: roles.guest }, unread);
  if (readable.length === 0) return;
  const messages = readable.map(({ id }) => id);
  const event = flagsAdded({ operation: "add", flag: "read", messages, all: false });
  await tx.emit({ to: "users", ids: [who.userId] }, event);
}
