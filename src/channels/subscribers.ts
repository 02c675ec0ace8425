import { and, asc, eq, isNotNull, isNull, not, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";
import { isIn, listOf, parseNumbers } from "../../db/sql/json";
import { isNumberedWith } from "../../db/sql/rows";
import { cached, cachedBy } from "../memory/cached";
import { readLogHead } from "../memory/log-head";

export type SubscriptionRow = Schema["subscriptions"]["$inferSelect"];

/** The newest message and the newest entry of the log, by id; 0 where there is none. */
export interface NewestIds {
  message: number;
  log: number;
}

type OfChannel = { realmId: number; channelId: number | null };

/** The condition that a subscription is one to this channel, and not a past one. */
export const isSubscriptionTo = (
  { subscriptions: t }: Reader["t"],
  { realmId, channelId }: { realmId: number; channelId: number } | Given<OfChannel>,
) => and(eq(t.realmId, realmId), eq(t.channelId, channelId), eq(t.isActive, true));

/** Subscribers with notifications of a kind for all messages in a channel: few, by an index. */
export const subscribersWanting = (kind: "pushNotifications" | "emailNotifications") =>
  statement((db, t, given: Given<OfChannel>) => {
    const { [kind]: wants, userId } = t.subscriptions;
    return db
      .select({ userId })
      .from(t.subscriptions)
      .where(and(isSubscriptionTo(t, given), isNotNull(wants), eq(wants, true)));
  });

const selectActive = statement(
  (db, t, given: Given<{ realmId: number; userId: number; channelId: number }>) =>
    db
      .select({ userId: t.subscriptions.userId })
      .from(t.subscriptions)
      .where(and(isSubscriptionTo(t, given), eq(t.subscriptions.userId, given.userId))),
);

const selectOwn = statement((db, t, given: Given<{ realmId: number; userId: number }>) =>
  db
    .select()
    .from(t.subscriptions)
    .where(
      and(eq(t.subscriptions.realmId, given.realmId), eq(t.subscriptions.userId, given.userId)),
    ),
);

const selectSubscribers = statement((db, t, given: Given<{ realmId: number; channelId: number }>) =>
  db
    .select({ userId: t.subscriptions.userId })
    .from(t.subscriptions)
    .innerJoin(
      t.users,
      and(eq(t.users.realmId, t.subscriptions.realmId), eq(t.users.id, t.subscriptions.userId)),
    )
    .where(and(isSubscriptionTo(t, given), eq(t.users.isActive, true)))
    .orderBy(asc(t.subscriptions.userId)),
);

/** Reads an index alone: to look at each subscriber's account takes several times as long. */
const selectSubscribersOfAll = statement(
  (db, { subscriptions: t }, given: Given<{ realmId: number; inactive: string }>, dialect) =>
    db
      .select({ channelId: t.channelId, userIds: listOf(dialect, sql`${t.userId}`) })
      .from(t)
      .where(
        and(
          eq(t.realmId, given.realmId),
          eq(t.isActive, true),
          not(isIn(dialect, t.userId, given.inactive)),
        ),
      )
      .groupBy(t.channelId),
);

const selectSubscribersOf = statement(
  (db, t, given: Given<{ realmId: number; channelIds: string }>, dialect) =>
    db
      .select({ channelId: t.subscriptions.channelId, userId: t.subscriptions.userId })
      .from(t.subscriptions)
      .innerJoin(
        t.users,
        and(eq(t.users.realmId, t.subscriptions.realmId), eq(t.users.id, t.subscriptions.userId)),
      )
      .where(
        and(
          eq(t.subscriptions.realmId, given.realmId),
          isIn(dialect, t.subscriptions.channelId, given.channelIds),
          eq(t.subscriptions.isActive, true),
          eq(t.users.isActive, true),
        ),
      )
      .orderBy(asc(t.subscriptions.channelId), asc(t.subscriptions.userId)),
);

const selectMessageHead = statement((db, t, given: Given<{ realmId: number }>, dialect) =>
  db
    .select({ head: sql<number>`max(${t.messages.id})`.mapWith(Number) })
    .from(t.messages)
    .where(isNumberedWith(dialect, t.messages.realmId, given.realmId)),
);

/** The newest ids of the realm's messages and of its log: later ones are greater. */
export async function readNewestIds(reader: Reader, realmId: number): Promise<NewestIds> {
  const [messages] = await selectMessageHead(reader, { realmId });
  return { message: messages?.head ?? 0, log: await readLogHead(reader, realmId) };
}

/** Whether somebody is subscribed to a channel now. */
export async function isSubscribed(
  reader: Reader,
  realmId: number,
  userId: number,
  channelId: number,
): Promise<boolean> {
  const rows = await selectActive(reader, { realmId, userId, channelId });
  return rows.length > 0;
}

/** All present and past subscriptions of somebody, with their settings. */
export async function listOwnSubscriptions(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<SubscriptionRow[]> {
  return selectOwn(reader, { realmId, userId });
}

/** The ids of the active users who are subscribed to a channel, ascending. */
export async function subscriberIds(
  reader: Reader,
  realmId: number,
  channelId: number,
): Promise<number[]> {
  const rows = await selectSubscribers(reader, { realmId, channelId });
  return rows.map(({ userId }) => userId);
}

const selectInactive = statement((db, { users }, given: Given<{ realmId: number }>) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.realmId, given.realmId), eq(users.isActive, false)))
    .orderBy(asc(users.id)),
);

/**
 * The ids of deactivated people and bots as a JSON list. Not made from the list of all people,
 * because this is read again after each change of a person.
 */
export const inactiveIds = cached(
  ["users"],
  async (reader, realmId) =>
    JSON.stringify((await selectInactive(reader, { realmId })).map(({ id }) => id)),
  { isOneRead: true },
);

/**
 * Cached by `inactiveIds`, so that no other change of a person lists everything again, and by
 * periods, which begin and end with subscriptions but have no personal settings.
 */
const activeSubscribers = cachedBy<ReadonlyMap<number, readonly number[]>>(
  ["subscription_periods"],
  {},
);

/** The ids of active subscribers, ascending, by channel; channels without any are left out. */
export const allSubscribers = async (reader: Reader, realmId: number) =>
  activeSubscribers(
    reader,
    realmId,
    await inactiveIds(reader, realmId),
    async (within, of, inactive) => {
      const rows = await selectSubscribersOfAll(within, { realmId: of, inactive });
      return new Map(
        rows.map(({ channelId, userIds }) => [
          channelId,
          parseNumbers(userIds).sort((a, b) => a - b),
        ]),
      );
    },
  );

/** Ids of the subscribers of some channels, by channel. */
export async function subscribersByChannel(
  reader: Reader,
  realmId: number,
  channelIds: readonly number[],
): Promise<Map<number, number[]>> {
  if (channelIds.length === 0) return new Map();
  const rows = await selectSubscribersOf(reader, {
    realmId,
    channelIds: JSON.stringify(channelIds),
  });
  const byChannel = new Map<number, number[]>();
  for (const { channelId, userId } of rows) {
    const subscriberIds = byChannel.get(channelId);
    if (subscriberIds) subscriberIds.push(userId);
    else byChannel.set(channelId, [userId]);
  }
  return byChannel;
}

type Among = { realmId: number; channelIds: string; userIds: string };

const among = (channelIds: readonly number[], userIds: readonly number[]) => ({
  channelIds: JSON.stringify(channelIds),
  userIds: JSON.stringify(userIds),
});

const selectAmong = statement((db, { subscriptions: t }, given: Given<Among>, dialect) =>
  db
    .select()
    .from(t)
    .where(
      and(
        eq(t.realmId, given.realmId),
        isIn(dialect, t.userId, given.userIds),
        isIn(dialect, t.channelId, given.channelIds),
      ),
    ),
);

/** Present and past subscriptions of some users to some channels. */
export async function findSubscriptions(
  reader: Reader,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<SubscriptionRow[]> {
  return selectAmong(reader, { realmId, ...among(channelIds, userIds) });
}

const selectNewestStart = statement(
  (db, { subscriptionPeriods: t }, given: Given<Among>, dialect) =>
    db
      .select({ start: sql<number>`max(${t.fromLog})`.mapWith(Number) })
      .from(t)
      .where(
        and(
          eq(t.realmId, given.realmId),
          isIn(dialect, t.userId, given.userIds),
          isIn(dialect, t.channelId, given.channelIds),
        ),
      ),
);

/**
 * The newest beginning of a period of any of these users in these channels, as a log id; 0 if there
 * is none.
 */
export async function newestPeriodStart(
  reader: Reader,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<number> {
  const [row] = await selectNewestStart(reader, { realmId, ...among(channelIds, userIds) });
  return row?.start ?? 0;
}

/** The condition that a period of one of these users in a channel is open. */
export const isOpenPeriod = (
  { t: { subscriptionPeriods: periods }, dialect }: Reader,
  realmId: number,
  channelId: number,
  userIds: readonly number[],
) =>
  and(
    eq(periods.realmId, realmId),
    eq(periods.channelId, channelId),
    isIn(dialect, periods.userId, sql`${JSON.stringify(userIds)}`),
    isNull(periods.toLog),
  );
