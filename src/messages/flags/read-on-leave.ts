import type { ChannelRow } from "../../channels/queries";
import type { OfPerson, Tx } from "../../core/context";
import type { ChannelsByUser } from "../../management/subscriptions/subscribe";
import { findUnread } from "../../reading/unread/find-unread";
import { idMax } from "../../reading/unread/unread-lines";
import { readUnasked } from "./read-unasked";

/**
 * Number of leavers from which on no message is marked as read: their unread messages are then
 * hidden until they come back.
 */
const leaversMax = 100;
/**
 * Number of messages that are marked for all of them together, so that other writes do not wait
 * long.
 */
const messagesMax = 5_000;

/**
 * Marks as read the unread messages of people in channels that they are about to leave, so that
 * these do not come back with a later subscription. Announces the event of `readUnasked`. Source:
 * recorded behaviour of the reference server.
 */
export async function readOnLeave(tx: Tx, realmId: number, leaving: ChannelsByUser) {
  if (leaving.size > leaversMax) return;
  let left = messagesMax;
  for (const [userId, channels] of leaving) {
    for (const channel of channels) {
      left -= await readNewest(tx, { realmId, userId }, channel, left);
      if (left === 0) return;
    }
  }
}

/** Marks somebody's newest unread messages in a channel as read; answers how many. */
async function readNewest(tx: Tx, who: OfPerson, channel: ChannelRow, limit: number) {
  const place = { kind: "channel", channelId: channel.id } as const;
  const slice = { side: "before", anchor: idMax, count: limit } as const;
  const newestFirst = (await findUnread(tx, who, place, slice)) ?? [];
  await readUnasked(tx, who, newestFirst);
  return newestFirst.length;
}
