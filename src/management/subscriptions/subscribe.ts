import { and, count, eq, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { isIn, isRowOf } from "../../../db/sql/json";
import { describeChannels, showChannels } from "../../channels/describe";
import { grantedViewerIds } from "../../channels/granted-viewers";
import { watchSubscriptions } from "../../channels/guest-visibility";
import { announcePeers } from "../../channels/peers";
import type { ChannelRow } from "../../channels/queries";
import {
  findSubscriptions,
  newestPeriodStart,
  readNewestIds,
  type SubscriptionRow,
} from "../../channels/subscribers";
import { peersAdded, subscriptionsAdded } from "../../channels/subscription-events";
import { groupByEqualRows } from "../../channels/subscription-groups";
import { subscriptionWire } from "../../channels/subscription-wire";
import type { Context, RealmMoment, Tx } from "../../core/context";
import { mayKnowChannel } from "../../core/reading-right/predicate";
import { roles } from "../../core/rights/role";
import { pickColor } from "./colors";
import { insertActive, insertOpenPeriods } from "./new-rows";

/** Channels by user id. */
export type ChannelsByUser = Map<number, ChannelRow[]>;

export interface SubscribeOutcome {
  subscribed: ChannelsByUser;
  alreadySubscribed: ChannelsByUser;
}

interface SubscribeOptions {
  /** By channel id; other channels get colors that the user does not use yet. */
  colors?: ReadonlyMap<number, string>;
}

/**
 * Subscribes users to channels (each given once), without a check of rights. Announces, in this
 * order: `realm_user` add to guests who newly see others, `stream` create to people who could not
 * see a channel before, `subscription` add to each new subscriber, `peer_add` to other people who
 * may know the channel. Deactivated users among them are subscribed when they are reactivated.
 */
export async function subscribeUsers(
  tx: Tx,
  ctx: Context,
  channels: readonly ChannelRow[],
  userIds: readonly number[],
  { colors = new Map() }: SubscribeOptions = {},
): Promise<SubscribeOutcome> {
  const realmId = ctx.realm.id;
  const ids = [...new Set(userIds)];
  const channelIds = channels.map(({ id }) => id);
  const rows = await findSubscriptions(tx, realmId, channelIds, ids);
  const subscriptionsByPair = new Map(rows.map((row) => [pairKey(row.userId, row.channelId), row]));
  const outcome = sortOut(channels, ids, subscriptionsByPair);
  if (outcome.subscribed.size === 0) return outcome;
  const watch = await watchSubscriptions(tx, realmId, channelIds, [...outcome.subscribed.keys()]);
  const returning = rows.filter(({ isActive }) => !isActive);
  const fresh = await freshRows(tx, realmId, outcome.subscribed, subscriptionsByPair, colors);
  await openPeriods(tx, realmId, outcome.subscribed, returning);
  await activate(tx, realmId, returning);
  await insertActive(tx, realmId, fresh);
  const personal = new Map(
    [...returning, ...fresh].map((row) => [pairKey(row.userId, row.channelId), row]),
  );
  await watch.announceGained();
  await announceSubscribed(tx, ctx, outcome.subscribed, personal);
  return outcome;
}

const pairKey = (userId: number, channelId: number) => `${userId} ${channelId}`;

function sortOut(
  channels: readonly ChannelRow[],
  userIds: number[],
  subscriptionsByPair: ReadonlyMap<string, SubscriptionRow>,
): SubscribeOutcome {
  const outcome: SubscribeOutcome = { subscribed: new Map(), alreadySubscribed: new Map() };
  for (const userId of userIds) {
    const isIn = ({ id }: ChannelRow) =>
      subscriptionsByPair.get(pairKey(userId, id))?.isActive ?? false;
    const already = channels.filter(isIn);
    const others = channels.filter((channel) => !isIn(channel));
    if (already.length > 0) outcome.alreadySubscribed.set(userId, already);
    if (others.length > 0) outcome.subscribed.set(userId, others);
  }
  return outcome;
}

/** The rows of new subscriptions, without former subscribers. */
async function freshRows(
  tx: Tx,
  realmId: number,
  subscribed: ChannelsByUser,
  subscriptionsByPair: ReadonlyMap<string, SubscriptionRow>,
  colors: ReadonlyMap<number, string>,
): Promise<SubscriptionRow[]> {
  const wanted = [...subscribed].flatMap(([userId, channels]) =>
    channels
      .filter(({ id }) => !subscriptionsByPair.has(pairKey(userId, id)))
      .map(({ id }) => ({ userId, channelId: id })),
  );
  const usedColors = await colorsOf(tx, realmId, [...new Set(wanted.map(({ userId }) => userId))]);
  return wanted.map(({ userId, channelId }) => {
    const used = usedColors.get(userId) ?? noColors();
    usedColors.set(userId, used);
    const color = colors.get(channelId) ?? pickColor(used.colors, used.count);
    used.colors.add(color);
    used.count += 1;
    return {
      realmId,
      userId,
      channelId,
      isActive: true,
      color,
      isMuted: false,
      pinToTop: false,
      desktopNotifications: null,
      emailNotifications: null,
      pushNotifications: null,
      audibleNotifications: null,
      wildcardMentionsNotify: null,
    };
  });
}

/** Colors of somebody's subscriptions, and how many subscriptions there are. */
interface UsedColors {
  colors: Set<string>;
  count: number;
}

const noColors = (): UsedColors => ({ colors: new Set(), count: 0 });

const selectColors = statement(
  (db, { subscriptions: t }, given: Given<{ realmId: number; userIds: string }>, dialect) =>
    db
      .select({ userId: t.userId, color: t.color, count: count() })
      .from(t)
      .where(and(eq(t.realmId, given.realmId), isIn(dialect, t.userId, given.userIds)))
      .groupBy(t.userId, t.color),
);

/** Reads each color of a person once, because many people may be in hundreds of channels. */
async function colorsOf(
  reader: Reader,
  realmId: number,
  userIds: number[],
): Promise<Map<number, UsedColors>> {
  const byUser = new Map<number, UsedColors>();
  for (const row of await selectColors(reader, { realmId, userIds: JSON.stringify(userIds) })) {
    const used = byUser.get(row.userId) ?? noColors();
    byUser.set(row.userId, used);
    used.colors.add(row.color);
    used.count += row.count;
  }
  return byUser;
}

async function activate(tx: Tx, realmId: number, rows: SubscriptionRow[]) {
  const { subscriptions } = tx.t;
  for (const [channelId, ofChannel] of Map.groupBy(rows, (row) => row.channelId)) {
    const userIds = JSON.stringify(ofChannel.map(({ userId }) => userId));
    await tx.db
      .update(subscriptions)
      .set({ isActive: true })
      .where(
        and(
          eq(subscriptions.realmId, realmId),
          eq(subscriptions.channelId, channelId),
          isIn(tx.dialect, subscriptions.userId, sql`${userIds}`),
        ),
      );
  }
}

/**
 * Opens a period for each pair, before the events of this write. Where the log was pruned, its end
 * can equal the beginning of a former period of the user; then the new period begins one place
 * later, at the id that the former period's event has used.
 */
async function openPeriods(
  tx: Tx,
  realmId: number,
  subscribed: ChannelsByUser,
  returning: SubscriptionRow[],
) {
  const newestIds = await readNewestIds(tx, realmId);
  const channelIds = [...new Set(returning.map(({ channelId }) => channelId))];
  const userIds = [...new Set(returning.map(({ userId }) => userId))];
  const formerStart =
    channelIds.length === 0 ? -1 : await newestPeriodStart(tx, realmId, channelIds, userIds);
  const fromLog = Math.max(newestIds.log, formerStart + 1);
  const pairs = [...subscribed].flatMap(([userId, channels]) =>
    channels.map(({ id }) => ({ userId, channelId: id })),
  );
  await insertOpenPeriods(tx, realmId, pairs, { message: newestIds.message, log: fromLog });
}

async function announceSubscribed(
  tx: Tx,
  ctx: Context,
  subscribed: ChannelsByUser,
  personal: ReadonlyMap<string, SubscriptionRow>,
) {
  const realmId = ctx.realm.id;
  const channels = [
    ...new Map([...subscribed.values()].flat().map((channel) => [channel.id, channel])).values(),
  ];
  const described = new Map(
    (await describeChannels(tx, realmId, channels)).map((one) => [one.stream_id, one]),
  );
  const describe = (ids: number[]) => ids.flatMap((id) => described.get(id) ?? []);
  const mayKnow = await makeMayKnowUnsubscribed(tx, ctx, channels, [...subscribed.keys()]);
  const shown = [...subscribed].map(([userId, all]): UserChannels => {
    const isKnown = mayKnow(userId);
    const gained = all.filter((channel) => !isKnown(channel));
    return { userId, channelIds: gained.map(({ id }) => id) };
  });
  for (const { channelIds, userIds } of groupUsers(shown)) {
    await showChannels(tx, { to: "users", ids: userIds }, describe(channelIds));
  }
  for (const { sharedRows, userIds } of groupByEqualRows(rowsByUser(subscribed, personal))) {
    const objects = sharedRows.flatMap((row) => {
      const channel = described.get(row.channelId);
      return channel ? [subscriptionWire(channel, row)] : [];
    });
    await tx.emit({ to: "users", ids: userIds }, subscriptionsAdded({ subscriptions: objects }));
  }
  const newcomersTo = usersByChannel(subscribed);
  // One person who joins several channels is announced in one event, as by the reference server.
  const groups = Map.groupBy(
    channels.map((channel) => ({ channel, newcomers: newcomersTo.get(channel.id) ?? [] })),
    ({ channel, newcomers }) =>
      newcomers.length === 1 ? `user ${newcomers[0]}` : `channel ${channel.id}`,
  );
  for (const group of groups.values()) {
    const newcomers = group[0]?.newcomers ?? [];
    const joined = group.map(({ channel }) => channel);
    await announcePeers(tx, ctx, joined, newcomers, peersAdded);
  }
}

/** The users of each channel, by its id. */
export function usersByChannel(subscribed: ChannelsByUser): Map<number, number[]> {
  const users = new Map<number, number[]>();
  for (const [userId, channels] of subscribed)
    for (const { id } of channels) {
      const ofChannel = users.get(id);
      if (ofChannel) ofChannel.push(userId);
      else users.set(id, [userId]);
    }
  return users;
}

export interface UserChannels {
  userId: number;
  channelIds: number[];
}

/**
 * Users grouped by their channels, because one event serves all users of a group. Users without
 * channels are left out.
 */
export function groupUsers(pairs: UserChannels[]): { channelIds: number[]; userIds: number[] }[] {
  const groups = Map.groupBy(
    pairs.filter(({ channelIds }) => channelIds.length > 0),
    ({ channelIds }) => channelIds.join(","),
  );
  return [...groups.values()].map((group) => ({
    channelIds: group[0]?.channelIds ?? [],
    userIds: group.map(({ userId }) => userId),
  }));
}

/** The new subscriptions of each user. */
const rowsByUser = (subscribed: ChannelsByUser, personal: ReadonlyMap<string, SubscriptionRow>) =>
  [...subscribed].map(([userId, channels]) => ({
    userId,
    rows: channels.flatMap(({ id }) => personal.get(pairKey(userId, id)) ?? []),
  }));

/** Makes the tests whether some users may know some channels without being subscribed to them. */
export async function makeMayKnowUnsubscribed(
  reader: Reader,
  moment: RealmMoment,
  channels: readonly ChannelRow[],
  userIds: number[],
): Promise<(userId: number) => (channel: ChannelRow) => boolean> {
  const roleOf = await rolesOf(reader, moment.realm.id, userIds);
  const granted = new Map<number, ReadonlySet<number>>();
  for (const channel of channels)
    granted.set(channel.id, await grantedViewerIds(reader, moment, channel));
  // Asked once for each role, because there may be fifty thousand pairs.
  const openTo = new Map(
    [...new Set(roleOf.values()), roles.guest].map((role) => [
      role,
      new Set(channels.filter((one) => mayKnowChannel(role, one, false)).map(({ id }) => id)),
    ]),
  );
  return (userId) => {
    const role = roleOf.get(userId) ?? roles.guest;
    const open = openTo.get(role);
    const isGranted = (id: number) => role !== roles.guest && granted.get(id)?.has(userId) === true;
    return ({ id }) => open?.has(id) === true || isGranted(id);
  };
}

const selectRoles = statement(
  (db, { users }, given: Given<{ realmId: number; userIds: string }>, dialect) =>
    db
      .select({ id: users.id, role: users.role })
      .from(users)
      .where(isRowOf(dialect, users, given.realmId, given.userIds)),
);

/** The roles of some users. */
async function rolesOf(
  reader: Reader,
  realmId: number,
  userIds: number[],
): Promise<Map<number, number>> {
  const rows = await selectRoles(reader, { realmId, userIds: JSON.stringify(userIds) });
  return new Map(rows.map(({ id, role }) => [id, role]));
}
