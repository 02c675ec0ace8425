import { and, eq, isNull, or, type SQL } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { joinInOrder } from "../../../db/sql/rows";
import type { ChannelRow } from "../../channels/queries";
import { findSubscriptions, isOpenPeriod, isSubscriptionTo } from "../../channels/subscribers";
import type { Tx } from "../../core/context";
import { periodsChanged } from "../../core/event-hub";
import { hasOpenHistory, isOpenTo } from "../../core/reading-right/predicate";
import { isNotSubscribed, mayNotRead } from "../../core/reading-right/sql";
import { findUsersByIds } from "../../people/users/queries";
import { isAmong } from "../../reading/queries";
import { announceGoneIn } from "../delete/events";
import { markRead } from "../flags/change-read";
import { starsRemoved } from "../flags/events";
import type { Move, MovedMessage } from "./plan";

/**
 * Number of people from which on no message is marked as read: their unread messages are then
 * hidden until they come back.
 */
const leaversMax = 100;
/**
 * Number of the newest messages that are checked for each of them, so that other writes do not wait
 * long.
 */
const messagesMax = 1_000;

/**
 * Consequences of a move of messages to another channel. They do not count as unread for people who
 * are not subscribed to it, and people who may not read there lose their flags. Announces
 * `delete_message` to people who may not read there and were not subscribed to the old channel; or
 * only that their stars are gone, if they could not read the old channel any more either.
 */
export async function takeFromLosersIn(tx: Tx, move: Move, moved: readonly MovedMessage[]) {
  await readForLeavers(tx, move, moved);
  await takeFlags(tx, move, moved);
}

async function readForLeavers(tx: Tx, { from, into }: Move, moved: readonly MovedMessage[]) {
  const { subscriptions } = tx.t;
  const leavers = await tx.db
    .select({ userId: subscriptions.userId })
    .from(subscriptions)
    .where(
      and(
        isSubscriptionTo(tx.t, { realmId: from.realmId, channelId: from.id }),
        isNotSubscribed(tx, into, subscriptions.userId),
      ),
    )
    .limit(leaversMax + 1);
  if (leavers.length === 0 || leavers.length > leaversMax) return;
  const newest = await readStateOf(tx, from.realmId, moved.slice(-messagesMax));
  for (const { userId } of leavers) await markRead(tx, { realmId: from.realmId, userId }, newest);
}

/** Facts of messages that the read state depends on, without their texts. */
function readStateOf(tx: Tx, realmId: number, moved: readonly MovedMessage[]) {
  const { id, senderId, channelId, sentChannelId, readBySender, realmId: ofRealm } = tx.t.messages;
  const ids = moved.map((message) => message.id);
  return tx.db
    .select({ id, senderId, channelId, sentChannelId, readBySender })
    .from(tx.t.messages)
    .where(and(eq(ofRealm, realmId), isAmong(tx, id, ids)));
}

async function takeFlags(tx: Tx, { message, from, into }: Move, moved: readonly MovedMessage[]) {
  const { messageFlags: flags } = tx.t;
  const ids = moved.map(({ id }) => id);
  const taken = await tx.db
    .delete(flags)
    .where(
      and(
        eq(flags.realmId, from.realmId),
        isAmong(tx, flags.messageId, ids),
        mayNotRead(tx, into, flags.userId),
      ),
    )
    .returning({ userId: flags.userId, messageId: flags.messageId, flag: flags.flag });
  if (taken.length === 0) return;
  const userIds = [...new Set(taken.map(({ userId }) => userId))];
  const subscriptions = await findSubscriptions(tx, from.realmId, [from.id], userIds);
  const subscriberIds = new Set(
    subscriptions.flatMap(({ userId, isActive }) => (isActive ? [userId] : [])),
  );
  const place = { stream_id: from.id, topic: message.topic };
  const byPerson = Map.groupBy(taken, (row) => row.userId);
  for (const { id: userId, role } of await findUsersByIds(tx, from.realmId, userIds)) {
    if (subscriberIds.has(userId)) continue;
    const audience = { to: "users" as const, ids: [userId] };
    const isKnown = isOpenTo(role, from);
    const gone = (byPerson.get(userId) ?? []).filter(({ flag }) => isKnown || flag === "starred");
    const goneIds = [...new Set(gone.map(({ messageId }) => messageId))].sort((a, b) => a - b);
    if (!isKnown) {
      if (goneIds.length > 0) await tx.emit(audience, starsRemoved(goneIds));
      continue;
    }
    await announceGoneIn(tx, audience, goneIds, place);
  }
}

type PlaceIn = Given<{ realmId: number; channelId: number; place: number }>;

/**
 * Present or former subscribers of a channel with a period that fits. Each person's are searched
 * for, because periods have no index by channel.
 */
const selectWithPeriod = (
  isActive: boolean,
  fits: (periods: Schema["subscriptionPeriods"], given: PlaceIn) => SQL | undefined,
) =>
  statement((db, t, given: PlaceIn, dialect) => {
    const { subscriptions: s, subscriptionPeriods: periods } = t;
    const ofPerson = joinInOrder(
      dialect,
      periods,
      and(
        eq(periods.realmId, given.realmId),
        eq(periods.userId, s.userId),
        eq(periods.channelId, given.channelId),
        fits(periods, given),
      ),
    );
    const isOfChannel = and(
      eq(s.realmId, given.realmId),
      eq(s.channelId, given.channelId),
      eq(s.isActive, isActive),
    );
    return db
      .selectDistinct({ userId: s.userId })
      .from(s)
      .crossJoin(ofPerson.rows)
      .where(and(isOfChannel, ofPerson.where));
  });

const selectNewcomers = selectWithPeriod(true, (periods, { place }) =>
  and(eq(periods.fromMessage, place), isNull(periods.toLog)),
);

const selectLeavers = selectWithPeriod(false, (periods, { place }) => eq(periods.toMessage, place));

/**
 * Lets people read messages that are moved into a channel with protected history, if they
 * subscribed after the newest message of all, because ids alone cannot tell which was first. This
 * does not apply if that message was in the channel, because it came before them.
 */
export async function admitNewcomers(tx: Tx, channel: ChannelRow, newestId: number) {
  if (hasOpenHistory(channel)) return;
  const { realmId, id: channelId } = channel;
  const newcomers = await selectNewcomers(tx, { realmId, channelId, place: newestId });
  if (newcomers.length === 0 || (await isOfChannel(tx, channel, newestId))) return;
  const { subscriptionPeriods: periods } = tx.t;
  const userIds = newcomers.map(({ userId }) => userId);
  await tx.db
    .update(periods)
    .set({ fromMessage: newestId - 1 })
    .where(and(isOpenPeriod(tx, realmId, channelId, userIds), eq(periods.fromMessage, newestId)));
  await tx.emit({ to: "server" }, periodsChanged(userIds));
}

/** Whether a message is in a channel, or was sent there. */
async function isOfChannel(tx: Tx, { realmId, id }: ChannelRow, messageId: number) {
  const { messages } = tx.t;
  const rows = await tx.db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.realmId, realmId),
        eq(messages.id, messageId),
        or(eq(messages.channelId, id), eq(messages.sentChannelId, id)),
      ),
    );
  return rows.length > 0;
}

/**
 * Keeps messages that are moved into a channel with protected history from people who left it after
 * the newest message of all and may come back, because ids alone cannot tell which was first. The
 * newest message itself is then kept from them too.
 */
export async function keepFromLeavers(tx: Tx, channel: ChannelRow, newestId: number) {
  if (hasOpenHistory(channel)) return;
  const { realmId, id: channelId } = channel;
  const leavers = await selectLeavers(tx, { realmId, channelId, place: newestId });
  if (leavers.length === 0) return;
  const { subscriptionPeriods: periods } = tx.t;
  const ids = leavers.map(({ userId }) => userId);
  await tx.db
    .update(periods)
    .set({ toMessage: newestId - 1 })
    .where(
      and(
        eq(periods.realmId, realmId),
        eq(periods.channelId, channelId),
        isAmong(tx, periods.userId, ids),
        eq(periods.toMessage, newestId),
      ),
    );
}
