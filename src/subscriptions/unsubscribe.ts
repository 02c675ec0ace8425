import { and, eq, inArray } from "drizzle-orm";
import { hideChannels } from "../channels/describe";
import { type ChannelRow, mayKnowChannel } from "../channels/queries";
import type { Context, Tx } from "../core/context";
import { roles } from "../core/role";
import { peersRemoved, subscriptionsRemoved } from "./events";
import { findSubscriptions, type Heads, inChunks, isOpenPeriod, readHeads } from "./queries";
import { type ChannelsByUser, groupUsers, rolesOf } from "./subscribe";

export interface UnsubscribeOutcome {
  removed: ChannelsByUser;
  notRemoved: ChannelsByUser;
}

/**
 * Ends the subscriptions of users to channels (each given once), without asking who may. Announces, in this order: `subscription` remove to
 * each who leaves one, `stream` delete to those who can no longer see it, `peer_remove` to the others who may know it.
 * What was announced before still reaches those who leave; what comes later does not.
 */
export async function unsubscribeUsers(
  tx: Tx,
  ctx: Context,
  channels: readonly ChannelRow[],
  userIds: readonly number[],
): Promise<UnsubscribeOutcome> {
  const realmId = ctx.realm.id;
  const ids = [...new Set(userIds)];
  const channelIds = channels.map(({ id }) => id);
  const rows = await findSubscriptions(tx, realmId, channelIds, ids);
  const active = new Map(
    channels.map(({ id }) => [
      id,
      new Set(rows.filter(({ isActive, channelId }) => isActive && channelId === id).map(({ userId }) => userId)),
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
  const heads = await readHeads(tx, realmId);
  for (const [channelId, leaving] of active) {
    for (const chunk of inChunks([...leaving])) await endSubscriptions(tx, realmId, channelId, chunk, heads);
  }
  await announceUnsubscribed(tx, realmId, channels, outcome.removed);
  return outcome;
}

async function endSubscriptions(tx: Tx, realmId: number, channelId: number, userIds: number[], heads: Heads) {
  const { subscriptions, subscriptionPeriods } = tx.t;
  const isTheirs = and(
    eq(subscriptions.realmId, realmId),
    eq(subscriptions.channelId, channelId),
    inArray(subscriptions.userId, userIds),
  );
  await tx.db.update(subscriptions).set({ isActive: false }).where(isTheirs);
  await tx.db
    .update(subscriptionPeriods)
    .set({ toMessage: heads.message, toLog: heads.log })
    .where(isOpenPeriod(tx.t, realmId, channelId, userIds));
}

async function announceUnsubscribed(tx: Tx, realmId: number, channels: readonly ChannelRow[], removed: ChannelsByUser) {
  const pairs = [...removed].map(([userId, left]) => ({ userId, channelIds: left.map(({ id }) => id) }));
  for (const { channelIds, userIds } of groupUsers(pairs)) {
    const left = channels.filter(({ id }) => channelIds.includes(id));
    const subscriptions = left.map(({ id, name }) => ({ stream_id: id, name }));
    await tx.emit({ to: "users", ids: userIds }, subscriptionsRemoved({ subscriptions }));
  }
  const roleOf = await rolesOf(tx, realmId, [...removed.keys()]);
  const mayStillKnow = (userId: number, channel: ChannelRow) =>
    mayKnowChannel(roleOf.get(userId) ?? roles.guest, channel, false);
  const lost = [...removed].map(([userId, left]) => ({
    userId,
    channelIds: left.filter((channel) => !mayStillKnow(userId, channel)).map(({ id }) => id),
  }));
  for (const { channelIds, userIds } of groupUsers(lost)) await hideChannels(tx, channelIds, userIds);
  for (const channel of channels) {
    const leavers = [...removed].filter(([, left]) => left.includes(channel)).map(([userId]) => userId);
    await announceLeavers(
      tx,
      channel,
      leavers,
      leavers.filter((userId) => mayStillKnow(userId, channel)),
    );
  }
}

/** Those who leave together and may still know the channel hear of each other in an event of their own. */
async function announceLeavers(tx: Tx, channel: ChannelRow, leavers: number[], stillKnowing: number[]) {
  if (leavers.length === 0) return;
  const event = peersRemoved({ stream_ids: [channel.id], user_ids: leavers });
  const { id: channelId, inviteOnly: isPrivate } = channel;
  await tx.emit({ to: "channelViewers", channelId, isPrivate, except: leavers }, event);
  if (leavers.length > 1 && stillKnowing.length > 0) await tx.emit({ to: "users", ids: stillKnowing }, event);
}
