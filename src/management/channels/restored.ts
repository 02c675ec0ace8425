import { and, eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { viewersOf } from "../../channels/channel-visibility";
import type { ChannelRow } from "../../channels/queries";
import { type SubscriptionRow, subscriberIds } from "../../channels/subscribers";
import { peersAdded, subscriptionsAdded } from "../../channels/subscription-events";
import { groupByEqualRows } from "../../channels/subscription-groups";
import { subscriptionWire } from "../../channels/subscription-wire";
import type { BasicChannel } from "../../channels/wire";
import type { Context, Tx } from "../../core/context";

/**
 * Announces an unarchived channel to clients that do not show archived channels: `subscription` add
 * to each of its subscribers, and peer_add to other people who may know it.
 */
export async function announceRestored(
  tx: Tx,
  ctx: Context,
  channel: ChannelRow,
  described: BasicChannel,
) {
  const form = { shows_archived: false };
  const rows = await listSubscriptionsOf(tx, channel);
  for (const { sharedRows, userIds } of groupByEqualRows(
    rows.map((row) => ({ userId: row.userId, rows: [row] })),
  )) {
    const subscriptions = sharedRows.map((row) => subscriptionWire(described, row));
    await tx.emit({ to: "users", ids: userIds }, subscriptionsAdded({ subscriptions, ...form }));
  }
  const user_ids = await subscriberIds(tx, channel.realmId, channel.id);
  const viewers = await viewersOf(tx, ctx, channel);
  const event = peersAdded({ stream_ids: [channel.id], user_ids, ...form });
  if (user_ids.length > 0) await tx.emit({ ...viewers, except: user_ids }, event);
}

function listSubscriptionsOf(
  { db, t }: Reader,
  channel: ChannelRow,
): PromiseLike<SubscriptionRow[]> {
  const { subscriptions } = t;
  const isActive = and(
    eq(subscriptions.realmId, channel.realmId),
    eq(subscriptions.channelId, channel.id),
    eq(subscriptions.isActive, true),
  );
  return db.select().from(subscriptions).where(isActive);
}
