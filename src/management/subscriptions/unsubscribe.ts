import { and, eq, sql } from "drizzle-orm";
import { isIn } from "../../../db/sql/json";
import { viewersOf } from "../../channels/channel-visibility";
import { hideChannels } from "../../channels/describe";
import { watchSubscriptions } from "../../channels/guest-visibility";
import type { ChannelRow } from "../../channels/queries";
import {
  findSubscriptions,
  isOpenPeriod,
  type NewestIds,
  readNewestIds,
} from "../../channels/subscribers";
import { peersRemoved, subscriptionsRemoved } from "../../channels/subscription-events";
import type { Audience } from "../../core/audience";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { readOnLeave } from "../../messages/flags/read-on-leave";
import {
  type ChannelsByUser,
  groupUsers,
  makeMayKnowUnsubscribed,
  usersByChannel,
} from "./subscribe";

interface UnsubscribeOutcome {
  removed: ChannelsByUser;
  notRemoved: ChannelsByUser;
}

/**
 * Ends the subscriptions of users to channels (each given once), without a check of rights. Their
 * unread messages there are marked as read. Announces, in this order: `update_message_flags` for
 * that, `subscription` remove to each leaver, `stream` delete to people who can no longer see the
 * channel, `peer_remove` to other people who may know it, `realm_user` remove to guests who no
 * longer see others. Earlier events still reach the leavers; later ones do not. Refuses archived
 * channels (BAD_REQUEST), because these keep their subscribers.
 */
export async function unsubscribeUsers(
  tx: Tx,
  ctx: Context,
  channels: readonly ChannelRow[],
  userIds: readonly number[],
): Promise<UnsubscribeOutcome> {
  const realmId = ctx.realm.id;
  const archived = channels.find(({ isArchived }) => isArchived);
  if (archived)
    throw badRequest(`The channel '${archived.name}' is archived: nobody can leave it.`);
  const ids = [...new Set(userIds)];
  const channelIds = channels.map(({ id }) => id);
  const rows = await findSubscriptions(tx, realmId, channelIds, ids);
  const active = new Map(
    channels.map(({ id }) => [
      id,
      new Set(
        rows
          .filter(({ isActive, channelId }) => isActive && channelId === id)
          .map(({ userId }) => userId),
      ),
    ]),
  );
  const outcome: UnsubscribeOutcome = { removed: new Map(), notRemoved: new Map() };
  for (const userId of ids) {
    const removed = channels.filter(({ id }) => active.get(id)?.has(userId));
    const others = channels.filter(({ id }) => !active.get(id)?.has(userId));
    if (removed.length > 0) outcome.removed.set(userId, removed);
    if (others.length > 0) outcome.notRemoved.set(userId, others);
  }
  if (outcome.removed.size === 0) return outcome;
  await readOnLeave(tx, realmId, outcome.removed);
  const watch = await watchSubscriptions(tx, realmId, channelIds, [...outcome.removed.keys()]);
  const newestIds = await readNewestIds(tx, realmId);
  for (const [channelId, leaving] of active)
    if (leaving.size > 0) await endSubscriptions(tx, realmId, channelId, [...leaving], newestIds);
  await announceUnsubscribed(tx, ctx, channels, outcome.removed);
  await watch.announceLost();
  return outcome;
}

async function endSubscriptions(
  tx: Tx,
  realmId: number,
  channelId: number,
  userIds: number[],
  newestIds: NewestIds,
) {
  const { subscriptions, subscriptionPeriods } = tx.t;
  const isTheirs = and(
    eq(subscriptions.realmId, realmId),
    eq(subscriptions.channelId, channelId),
    isIn(tx.dialect, subscriptions.userId, sql`${JSON.stringify(userIds)}`),
  );
  await tx.db.update(subscriptions).set({ isActive: false }).where(isTheirs);
  await tx.db
    .update(subscriptionPeriods)
    .set({ toMessage: newestIds.message, toLog: newestIds.log })
    .where(isOpenPeriod(tx, realmId, channelId, userIds));
}

async function announceUnsubscribed(
  tx: Tx,
  ctx: Context,
  channels: readonly ChannelRow[],
  removed: ChannelsByUser,
) {
  const pairs = [...removed].map(([userId, left]) => ({
    userId,
    channelIds: left.map(({ id }) => id),
  }));
  for (const { channelIds, userIds } of groupUsers(pairs)) {
    const left = channels.filter(({ id }) => channelIds.includes(id));
    const subscriptions = left.map(({ id, name }) => ({ stream_id: id, name }));
    await tx.emit({ to: "users", ids: userIds }, subscriptionsRemoved({ subscriptions }));
  }
  const mayStillKnow = await makeMayKnowUnsubscribed(tx, ctx, channels, [...removed.keys()]);
  const lost = [...removed].map(([userId, left]) => {
    const isKnown = mayStillKnow(userId);
    return { userId, channelIds: left.filter((one) => !isKnown(one)).map(({ id }) => id) };
  });
  for (const { channelIds, userIds } of groupUsers(lost)) {
    const hidden = channels.filter(({ id }) => channelIds.includes(id));
    await hideChannels(tx, { to: "users", ids: userIds }, hidden);
  }
  const leaversOf = usersByChannel(removed);
  for (const channel of channels) {
    const leavers = leaversOf.get(channel.id) ?? [];
    await announceLeavers(
      tx,
      await viewersOf(tx, ctx, channel),
      channel,
      leavers,
      leavers.filter((userId) => mayStillKnow(userId)(channel)),
    );
  }
}

/**
 * People who leave together and may still know the channel get an event about the other leavers.
 */
async function announceLeavers(
  tx: Tx,
  viewers: Audience,
  channel: ChannelRow,
  leavers: number[],
  stillKnowing: number[],
) {
  if (leavers.length === 0) return;
  const event = peersRemoved({ stream_ids: [channel.id], user_ids: leavers });
  await tx.emit({ ...viewers, except: leavers }, event);
  if (leavers.length > 1 && stillKnowing.length > 0)
    await tx.emit({ to: "users", ids: stillKnowing }, event);
}
