import { and, asc, eq, inArray, not, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";
import { isIn } from "../../db/sql/json";
import type { Context } from "../core/context";
import { channelIdUnknown, channelNameUnknown, refusedFor } from "../core/errors";
import {
  type ChannelPrivacy,
  mayKnowChannel,
  mayReadChannel,
} from "../core/reading-right/predicate";
import { cached, cachedBy } from "../memory/cached";
import { isGrantedViewer } from "./granted-viewers";
import { inactiveIds } from "./subscribers";

export type ChannelRow = Schema["channels"]["$inferSelect"];

/** Name or id of a channel in a request. */
export type ChannelReference = { id: number } | { name: string };

/** The privacy of a channel for the rule of an audience. */
export const privacyRule = ({ inviteOnly, isWebPublic }: ChannelPrivacy) => ({
  isPrivate: inviteOnly,
  ...(isWebPublic ? { isWebPublic } : {}),
});

/** A channel, and whether one person is subscribed to it. */
export interface ChannelStanding {
  channel: ChannelRow;
  isSubscribed: boolean;
}

const selectById = statement((db, t, given: Given<{ realmId: number; id: number }>) =>
  db
    .select()
    .from(t.channels)
    .where(and(eq(t.channels.realmId, given.realmId), eq(t.channels.id, given.id))),
);

const selectByName = statement((db, t, given: Given<{ realmId: number; nameKey: string }>) =>
  db
    .select()
    .from(t.channels)
    .where(and(eq(t.channels.realmId, given.realmId), eq(t.channels.nameKey, given.nameKey))),
);

const selectAll = statement((db, t, given: Given<{ realmId: number }>) =>
  db
    .select()
    .from(t.channels)
    .where(eq(t.channels.realmId, given.realmId))
    .orderBy(asc(t.channels.id)),
);

const selectActiveSubscription = statement(
  (db, t, given: Given<{ realmId: number; userId: number; channelId: number }>) =>
    db
      .select({ isActive: t.subscriptions.isActive })
      .from(t.subscriptions)
      .where(
        and(
          eq(t.subscriptions.realmId, given.realmId),
          eq(t.subscriptions.userId, given.userId),
          eq(t.subscriptions.channelId, given.channelId),
        ),
      ),
);

/**
 * Selects a column that only the key's index has, because SQLite would otherwise read all of a
 * realm's subscriptions from another index.
 */
const selectSubscribed = statement((db, t, given: Given<{ realmId: number; userId: number }>) =>
  db
    .select({
      channelId: t.subscriptions.channelId,
      isActive: t.subscriptions.isActive,
      isMuted: t.subscriptions.isMuted,
    })
    .from(t.subscriptions)
    .where(
      and(eq(t.subscriptions.realmId, given.realmId), eq(t.subscriptions.userId, given.userId)),
    ),
);

/** Key for finding a channel by its name, ignoring case. */
export const channelKey = (name: string) => name.trim().toLowerCase();

/**
 * Number of channels, and of people's subscriptions to them, that are cached for a realm; number of
 * people whose channels are cached.
 */
const channelsMax = 2_000;
const peopleMax = 1_000;
const standingsMax = 10_000;

const channelById = cached(
  ["channels"],
  async (reader, realmId, id) => {
    const [channel] = await selectById(reader, { realmId, id: Number(id) });
    return channel;
  },
  { variantsMax: channelsMax, isOneRead: true },
);

const channelByKey = cached(
  ["channels"],
  async (reader, realmId, nameKey) => {
    const [channel] = await selectByName(reader, { realmId, nameKey });
    return channel;
  },
  { variantsMax: channelsMax, isOneRead: true },
);

const isSubscribedTo = cached(
  ["subscriptions"],
  async (reader, realmId, ids) => {
    const [userId = 0, channelId = 0] = ids.split(" ").map(Number);
    const [subscription] = await selectActiveSubscription(reader, { realmId, userId, channelId });
    return subscription?.isActive ?? false;
  },
  { variantsMax: standingsMax, isOneRead: true },
);

/** A channel of the realm by id, without a check of rights. */
export const findChannel = (
  reader: Reader,
  realmId: number,
  id: number,
): Promise<ChannelRow | undefined> => channelById(reader, realmId, String(id));

/** A channel of the realm by name, ignoring case, without a check of rights. */
export const findChannelByName = (
  reader: Reader,
  realmId: number,
  name: string,
): Promise<ChannelRow | undefined> => channelByKey(reader, realmId, channelKey(name));

/** Channels among these that exist, in no particular order. */
export async function findChannelsByIds(
  reader: Reader,
  realmId: number,
  ids: readonly number[],
): Promise<ChannelRow[]> {
  if (ids.length === 0) return [];
  const { t } = reader;
  return reader.db
    .select()
    .from(t.channels)
    .where(and(eq(t.channels.realmId, realmId), inArray(t.channels.id, [...ids])));
}

/** Channels with one of these names, ignoring case, in no particular order. */
export async function findChannelsByNames(
  reader: Reader,
  realmId: number,
  names: readonly string[],
): Promise<ChannelRow[]> {
  const keys = [...new Set(names.map(channelKey))];
  if (keys.length === 0) return [];
  const { channels } = reader.t;
  return reader.db
    .select()
    .from(channels)
    .where(and(eq(channels.realmId, realmId), inArray(channels.nameKey, keys)));
}

/** Every channel of the realm, oldest first. */
export const listChannels = cached(
  ["channels"],
  async (reader, realmId): Promise<readonly ChannelRow[]> => selectAll(reader, { realmId }),
);

/** The ids of the channels that somebody is subscribed to. */
export const subscribedChannelIds = (
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<readonly number[]> => channelIdsOf(reader, realmId, String(userId));

const channelIdsOf = cached(
  ["subscriptions"],
  async (reader, realmId, userId): Promise<readonly number[]> => {
    const rows = await selectSubscribed(reader, { realmId, userId: Number(userId) });
    return rows.filter(({ isActive }) => isActive).map(({ channelId }) => channelId);
  },
  { variantsMax: peopleMax, isOneRead: true },
);

/** The ids of the default channels of new members, ascending. */
export async function defaultChannelIds(reader: Reader, realmId: number): Promise<number[]> {
  const channels = await listChannels(reader, realmId);
  return channels
    .filter(({ isDefault, isArchived }) => isDefault && !isArchived)
    .map(({ id }) => id);
}

/** Every channel of the realm, with whether somebody is subscribed to it. */
export async function listStandings(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<ChannelStanding[]> {
  const subscribed = new Set(await subscribedChannelIds(reader, realmId, userId));
  const channels = await listChannels(reader, realmId);
  return channels.map((channel) => ({ channel, isSubscribed: subscribed.has(channel.id) }));
}

/**
 * Cached by `inactiveIds`, so that no other change of a person counts everything again. Each
 * subscription begins and ends with a period, and periods have no personal settings, which change
 * often.
 */
const allCounts = cachedBy<ReadonlyMap<number, number>>(["subscription_periods"], {
  isOneRead: true,
});

/**
 * Number of active subscribers of each channel; channels without any are left out. Reads every
 * subscription of the realm.
 */
export const countAllSubscribers = async (reader: Reader, realmId: number) =>
  allCounts(reader, realmId, await inactiveIds(reader, realmId), async (within, of, inactive) =>
    countsOf(await selectCounts(within, { realmId: of, inactive })),
  );

/** Number of active subscribers of some channels; channels without any are left out. */
export const countSubscribers = async (
  reader: Reader,
  realmId: number,
  channelIds: readonly number[],
): Promise<ReadonlyMap<number, number>> =>
  countsOf(await selectCountsOf(reader, { realmId, channelIds: JSON.stringify(channelIds) }));

/** Whether a channel has more active subscribers than a number; reads no more of them. */
export async function hasMoreSubscribers(
  reader: Reader,
  realmId: number,
  channelId: number,
  than: number,
): Promise<boolean> {
  const rows = await selectSome(reader, { realmId, channelId, limit: than + 1 });
  return rows.length > than;
}

const countsOf = (rows: readonly { channelId: number; count: number }[]) =>
  new Map(rows.map(({ channelId, count }) => [channelId, count]));

const countColumns = ({ subscriptions }: Schema) => ({
  channelId: subscriptions.channelId,
  count: sql<number>`count(*)`.mapWith(Number),
});

/** Reads an index alone: to look at each subscriber's account takes several times as long. */
const selectCounts = statement(
  (db, t, given: Given<{ realmId: number; inactive: string }>, dialect) =>
    db
      .select(countColumns(t))
      .from(t.subscriptions)
      .where(
        and(
          eq(t.subscriptions.realmId, given.realmId),
          eq(t.subscriptions.isActive, true),
          not(isIn(dialect, t.subscriptions.userId, given.inactive)),
        ),
      )
      .groupBy(t.subscriptions.channelId),
);

const isSubscribersAccount = ({ subscriptions, users }: Schema) =>
  and(eq(users.realmId, subscriptions.realmId), eq(users.id, subscriptions.userId));

const selectSome = statement(
  (db, t, given: Given<{ realmId: number; channelId: number; limit: number }>) => {
    const { subscriptions, users } = t;
    return db
      .select({ userId: subscriptions.userId })
      .from(subscriptions)
      .innerJoin(users, isSubscribersAccount(t))
      .where(
        and(
          eq(subscriptions.realmId, given.realmId),
          eq(subscriptions.channelId, given.channelId),
          eq(subscriptions.isActive, true),
          eq(users.isActive, true),
        ),
      )
      .limit(given.limit);
  },
);

const selectCountsOf = statement(
  (db, t, given: Given<{ realmId: number; channelIds: string }>, dialect) => {
    const { subscriptions, users } = t;
    return db
      .select(countColumns(t))
      .from(subscriptions)
      .innerJoin(users, isSubscribersAccount(t))
      .where(
        and(
          eq(subscriptions.realmId, given.realmId),
          eq(subscriptions.isActive, true),
          eq(users.isActive, true),
          isIn(dialect, subscriptions.channelId, given.channelIds),
        ),
      )
      .groupBy(subscriptions.channelId);
  },
);

/** Refusal to send to a missing or hidden channel: STREAM_DOES_NOT_EXIST. */
export const unknownChannel = (reference: ChannelReference) =>
  "id" in reference ? channelIdUnknown(reference.id) : channelNameUnknown(reference.name);

/** Refusal of other requests about a missing or hidden channel: BAD_REQUEST. */
export const invalidChannel = (reference: ChannelReference) =>
  refusedFor("channel-gone", unknownChannel(reference).message);

/**
 * A channel and the actor's rights: whether it is visible to them, and whether they may read in it
 * at all.
 */
export interface ChannelAccess extends ChannelStanding {
  mayKnow: boolean;
  mayRead: boolean;
}

/** The channel with that name or id, hidden from the actor or not; undefined if there is none. */
export async function findAccess(
  ctx: Context,
  reader: Reader,
  reference: ChannelReference,
): Promise<ChannelAccess | undefined> {
  const { realm, actor } = ctx;
  const channel =
    "id" in reference
      ? await findChannel(reader, realm.id, reference.id)
      : await findChannelByName(reader, realm.id, reference.name);
  if (!channel) return undefined;
  if (!("user" in actor)) {
    const mayAll = actor.kind !== "anonymous";
    return { channel, isSubscribed: false, mayKnow: mayAll, mayRead: mayAll };
  }
  const { id: userId, role } = actor.user;
  const isSubscribed = await isSubscribedTo(reader, realm.id, `${userId} ${channel.id}`);
  const isKnown = mayKnowChannel(role, channel, isSubscribed);
  return {
    channel,
    isSubscribed,
    mayKnow: isKnown || (await isGrantedViewer(reader, ctx, actor.user, channel)),
    mayRead: mayReadChannel(role, channel, isSubscribed),
  };
}

/** A channel that the actor may know. Refuses a hidden one like a missing one (BAD_REQUEST). */
export async function loadKnownChannel(
  ctx: Context,
  reader: Reader,
  reference: ChannelReference,
): Promise<ChannelStanding> {
  const access = await findAccess(ctx, reader, reference);
  if (!access?.mayKnow) throw invalidChannel(reference);
  return access;
}

/**
 * A channel that the actor may read. Refuses every other one like one that does not exist:
 * BAD_REQUEST.
 */
export async function loadReadableChannel(
  ctx: Context,
  reader: Reader,
  reference: ChannelReference,
): Promise<ChannelStanding> {
  const access = await findAccess(ctx, reader, reference);
  if (!access?.mayRead) throw invalidChannel(reference);
  return access;
}
