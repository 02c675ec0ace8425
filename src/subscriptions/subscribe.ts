import { and, eq, inArray } from "drizzle-orm";
import type { Reader } from "../../db/reader";
import { describeChannels, showChannels } from "../channels/describe";
import { type ChannelRow, mayKnowChannel } from "../channels/queries";
import type { Context, Tx } from "../core/context";
import { roles } from "../core/role";
import { pickColor } from "./colors";
import { peersAdded, subscriptionsAdded } from "./events";
import { findSubscriptions, inChunks, newestPeriodStart, readHeads, type SubscriptionRow } from "./queries";
import { subscriptionWire } from "./wire";

/** Channels by user id. */
export type ChannelsByUser = Map<number, ChannelRow[]>;

export interface SubscribeOutcome {
  subscribed: ChannelsByUser;
  alreadySubscribed: ChannelsByUser;
}

export interface SubscribeOptions {
  /** By channel id; the others get colors that the user does not use yet. */
  colors?: ReadonlyMap<number, string>;
}

/**
 * Subscribes users to channels (each given once), without asking who may. Announces, in this order: `stream` create to those who could not
 * see a channel before, `subscription` add to each who is new in one, `peer_add` to the others who may know it.
 * Deactivated users may be among them: they are subscribed when they come back.
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
  const known = new Map(rows.map((row) => [pairKey(row.userId, row.channelId), row]));
  const outcome = sortOut(channels, ids, known);
  if (outcome.subscribed.size === 0) return outcome;
  const returning = rows.filter(({ isActive }) => !isActive);
  const fresh = await freshRows(tx, realmId, outcome.subscribed, known, colors);
  await openPeriods(tx, realmId, outcome.subscribed, returning);
  await activate(tx, realmId, returning);
  for (const chunk of inChunks(fresh)) await tx.db.insert(tx.t.subscriptions).values(chunk);
  const personal = new Map([...returning, ...fresh].map((row) => [pairKey(row.userId, row.channelId), row]));
  await announceSubscribed(tx, realmId, outcome.subscribed, personal);
  return outcome;
}

const pairKey = (userId: number, channelId: number) => `${userId} ${channelId}`;

function sortOut(
  channels: readonly ChannelRow[],
  userIds: number[],
  known: ReadonlyMap<string, SubscriptionRow>,
): SubscribeOutcome {
  const outcome: SubscribeOutcome = { subscribed: new Map(), alreadySubscribed: new Map() };
  for (const userId of userIds) {
    const isIn = ({ id }: ChannelRow) => known.get(pairKey(userId, id))?.isActive ?? false;
    const already = channels.filter(isIn);
    const others = channels.filter((channel) => !isIn(channel));
    if (already.length > 0) outcome.alreadySubscribed.set(userId, already);
    if (others.length > 0) outcome.subscribed.set(userId, others);
  }
  return outcome;
}

/** The rows of those who were never subscribed before. */
async function freshRows(
  tx: Tx,
  realmId: number,
  subscribed: ChannelsByUser,
  known: ReadonlyMap<string, SubscriptionRow>,
  colors: ReadonlyMap<number, string>,
): Promise<SubscriptionRow[]> {
  const wanted = [...subscribed].flatMap(([userId, channels]) =>
    channels.filter(({ id }) => !known.has(pairKey(userId, id))).map(({ id }) => ({ userId, channelId: id })),
  );
  const usedColors = await colorsOf(tx, realmId, [...new Set(wanted.map(({ userId }) => userId))]);
  return wanted.map(({ userId, channelId }) => {
    const used = usedColors.get(userId) ?? [];
    const color = colors.get(channelId) ?? pickColor(new Set(used), used.length);
    usedColors.set(userId, [...used, color]);
    return {
      ...{ realmId, userId, channelId, isActive: true, color, isMuted: false, pinToTop: false },
      ...{ desktopNotifications: null, emailNotifications: null, pushNotifications: null },
      ...{ audibleNotifications: null, wildcardMentionsNotify: null },
    };
  });
}

async function colorsOf(reader: Reader, realmId: number, userIds: number[]): Promise<Map<number, string[]>> {
  const { subscriptions } = reader.t;
  const colors = new Map<number, string[]>();
  for (const chunk of inChunks(userIds)) {
    const rows = await reader.db
      .select({ userId: subscriptions.userId, color: subscriptions.color })
      .from(subscriptions)
      .where(and(eq(subscriptions.realmId, realmId), inArray(subscriptions.userId, chunk)));
    for (const { userId, color } of rows) colors.set(userId, [...(colors.get(userId) ?? []), color]);
  }
  return colors;
}

async function activate(tx: Tx, realmId: number, rows: SubscriptionRow[]) {
  const { subscriptions } = tx.t;
  for (const [channelId, ofChannel] of Map.groupBy(rows, (row) => row.channelId)) {
    for (const chunk of inChunks(ofChannel.map(({ userId }) => userId))) {
      await tx.db
        .update(subscriptions)
        .set({ isActive: true })
        .where(
          and(
            eq(subscriptions.realmId, realmId),
            eq(subscriptions.channelId, channelId),
            inArray(subscriptions.userId, chunk),
          ),
        );
    }
  }
}

/**
 * Begins a period for each pair, before the events of this write. Where the log was pruned, it can stand where a former
 * period of a returning user began; then the new one begins one place later, which the event of the former has used up.
 */
async function openPeriods(tx: Tx, realmId: number, subscribed: ChannelsByUser, returning: SubscriptionRow[]) {
  const heads = await readHeads(tx, realmId);
  const channelIds = [...new Set(returning.map(({ channelId }) => channelId))];
  const userIds = [...new Set(returning.map(({ userId }) => userId))];
  const formerStart = channelIds.length === 0 ? -1 : await newestPeriodStart(tx, realmId, channelIds, userIds);
  const fromLog = Math.max(heads.log, formerStart + 1);
  const periods = [...subscribed].flatMap(([userId, channels]) =>
    channels.map(({ id }) => ({ realmId, userId, channelId: id, fromMessage: heads.message, fromLog })),
  );
  for (const chunk of inChunks(periods)) await tx.db.insert(tx.t.subscriptionPeriods).values(chunk);
}

async function announceSubscribed(
  tx: Tx,
  realmId: number,
  subscribed: ChannelsByUser,
  personal: ReadonlyMap<string, SubscriptionRow>,
) {
  const channels = [...new Map([...subscribed.values()].flat().map((channel) => [channel.id, channel])).values()];
  const described = new Map((await describeChannels(tx, realmId, channels)).map((one) => [one.stream_id, one]));
  const describe = (ids: number[]) => ids.flatMap((id) => described.get(id) ?? []);
  const roleOf = await rolesOf(tx, realmId, [...subscribed.keys()]);
  const shown = [...subscribed].map(([userId, all]): UserChannels => {
    const gained = all.filter((channel) => !mayKnowChannel(roleOf.get(userId) ?? roles.guest, channel, false));
    return { userId, channelIds: gained.map(({ id }) => id) };
  });
  for (const { channelIds, userIds } of groupUsers(shown)) await showChannels(tx, describe(channelIds), userIds);
  for (const { subscriptions, userIds } of groupSubscriptions(subscribed, personal)) {
    const objects = subscriptions.flatMap((row) => {
      const channel = described.get(row.channelId);
      return channel ? [subscriptionWire(channel, row)] : [];
    });
    await tx.emit({ to: "users", ids: userIds }, subscriptionsAdded({ subscriptions: objects }));
  }
  for (const channel of channels) {
    const newcomers = [...subscribed].filter(([, all]) => all.includes(channel)).map(([userId]) => userId);
    await tx.emit(
      { to: "channelViewers", channelId: channel.id, isPrivate: channel.inviteOnly, except: newcomers },
      peersAdded({ stream_ids: [channel.id], user_ids: newcomers }),
    );
  }
}

export interface UserChannels {
  userId: number;
  channelIds: number[];
}

/** Users with the same channels together, so that one event serves them all; those with none are left out. */
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

/** Users whose new subscriptions look the same, colors included, together. */
function groupSubscriptions(subscribed: ChannelsByUser, personal: ReadonlyMap<string, SubscriptionRow>) {
  const all = [...subscribed].map(([userId, channels]) => ({
    userId,
    rows: channels.flatMap(({ id }) => personal.get(pairKey(userId, id)) ?? []),
  }));
  const groups = Map.groupBy(all, ({ rows }) => JSON.stringify(rows.map((row) => ({ ...row, userId: 0 }))));
  return [...groups.values()].map((group) => ({
    subscriptions: group[0]?.rows ?? [],
    userIds: group.map(({ userId }) => userId),
  }));
}

/** The roles of some users. */
export async function rolesOf(reader: Reader, realmId: number, userIds: number[]): Promise<Map<number, number>> {
  const { users } = reader.t;
  const found = new Map<number, number>();
  for (const chunk of inChunks(userIds)) {
    const rows = await reader.db
      .select({ id: users.id, role: users.role })
      .from(users)
      .where(and(eq(users.realmId, realmId), inArray(users.id, chunk)));
    for (const { id, role } of rows) found.set(id, role);
  }
  return found;
}
