import { and, asc, eq, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";
import { isIn } from "../../db/sql/json";
import { isNumberedWith } from "../../db/sql/rows";
import { inChunks } from "../core/chunks";
import { remembered } from "../memory/remembered";
import { type ChannelRow, mayReadChannel, type Openness } from "./queries";

export type SubscriptionRow = Schema["subscriptions"]["$inferSelect"];

/** A stretch during which somebody was subscribed; an end of null is open. */
export type SubscriptionPeriod = Pick<
  Schema["subscriptionPeriods"]["$inferSelect"],
  "channelId" | "fromMessage" | "toMessage" | "fromLog" | "toLog"
>;

/** The newest message and the newest entry of the log, by id; 0 where there is none. */
export interface Heads {
  message: number;
  log: number;
}

const selectActive = statement(
  (db, t, given: Given<{ realmId: number; userId: number; channelId: number }>) =>
    db
      .select({ userId: t.subscriptions.userId })
      .from(t.subscriptions)
      .where(
        and(
          eq(t.subscriptions.realmId, given.realmId),
          eq(t.subscriptions.userId, given.userId),
          eq(t.subscriptions.channelId, given.channelId),
          eq(t.subscriptions.isActive, true),
        ),
      ),
);

const periodColumns = ({ subscriptionPeriods: periods }: Reader["t"]) => ({
  channelId: periods.channelId,
  fromMessage: periods.fromMessage,
  toMessage: periods.toMessage,
  fromLog: periods.fromLog,
  toLog: periods.toLog,
});

const selectPeriods = statement((db, t, given: Given<{ realmId: number; userId: number }>) =>
  db
    .select(periodColumns(t))
    .from(t.subscriptionPeriods)
    .where(
      and(
        eq(t.subscriptionPeriods.realmId, given.realmId),
        eq(t.subscriptionPeriods.userId, given.userId),
      ),
    ),
);

const selectPeriodsIn = statement(
  (db, t, given: Given<{ realmId: number; channelId: number; ids: string }>, dialect) =>
    db
      .select({ userId: t.subscriptionPeriods.userId, ...periodColumns(t) })
      .from(t.subscriptionPeriods)
      .where(
        and(
          eq(t.subscriptionPeriods.realmId, given.realmId),
          eq(t.subscriptionPeriods.channelId, given.channelId),
          isIn(dialect, t.subscriptionPeriods.userId, given.ids),
        ),
      ),
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
    .where(
      and(
        eq(t.subscriptions.realmId, given.realmId),
        eq(t.subscriptions.channelId, given.channelId),
        eq(t.subscriptions.isActive, true),
        eq(t.users.isActive, true),
      ),
    )
    .orderBy(asc(t.subscriptions.userId)),
);

const selectMessageHead = statement((db, t, given: Given<{ realmId: number }>, dialect) =>
  db
    .select({ head: sql<number>`max(${t.messages.id})`.mapWith(Number) })
    .from(t.messages)
    .where(isNumberedWith(dialect, t.messages.realmId, given.realmId)),
);

const selectLogHead = statement((db, t, given: Given<{ realmId: number }>) =>
  db
    .select({ head: sql<number>`max(${t.eventLog.id})`.mapWith(Number) })
    .from(t.eventLog)
    .where(eq(t.eventLog.realmId, given.realmId)),
);

/**
 * Newest ids of the realm's messages and of its log: all there is, is at or below; all that comes,
 * above.
 */
export async function readHeads(reader: Reader, realmId: number): Promise<Heads> {
  const [messages] = await selectMessageHead(reader, { realmId });
  const [log] = await selectLogHead(reader, { realmId });
  return { message: messages?.head ?? 0, log: log?.head ?? 0 };
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

/** The periods of so many people are remembered of a realm. */
const peopleMax = 1_000;

const periodsOf = remembered(
  ["subscription_periods"],
  async (reader, realmId, userId): Promise<readonly SubscriptionPeriod[]> =>
    selectPeriods(reader, { realmId, userId: Number(userId) }),
  { variantsMax: peopleMax, isOneRead: true },
);

/** All stretches during which somebody was subscribed to anything. */
export const listPeriods = (
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<readonly SubscriptionPeriod[]> => periodsOf(reader, realmId, String(userId));

/** The stretches during which some users were subscribed to a channel, by user. */
export async function findPeriodsAmong(
  reader: Reader,
  { realmId, id: channelId }: Pick<ChannelRow, "realmId" | "id">,
  userIds: readonly number[],
): Promise<Map<number, SubscriptionPeriod[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await selectPeriodsIn(reader, { realmId, channelId, ids: JSON.stringify(userIds) });
  return Map.groupBy(rows, ({ userId }) => userId);
}

/** Everything that somebody is or was subscribed to, with their settings. */
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

/**
 * The ids of the active users who are subscribed, ascending, by channel; a channel without any is
 * left out.
 */
export const allSubscribers = remembered(
  ["subscriptions", "users"],
  async (reader, realmId): Promise<ReadonlyMap<number, readonly number[]>> =>
    readSubscribers(reader, realmId, undefined),
);

/** Ids of the subscribers of some channels, by channel. */
export async function subscribersByChannel(
  reader: Reader,
  realmId: number,
  channelIds: readonly number[],
): Promise<Map<number, number[]>> {
  return channelIds.length === 0 ? new Map() : readSubscribers(reader, realmId, channelIds);
}

async function readSubscribers(
  reader: Reader,
  realmId: number,
  channelIds: readonly number[] | undefined,
) {
  const { subscriptions, users } = reader.t;
  const rows = await reader.db
    .select({ channelId: subscriptions.channelId, userId: subscriptions.userId })
    .from(subscriptions)
    .innerJoin(
      users,
      and(eq(users.realmId, subscriptions.realmId), eq(users.id, subscriptions.userId)),
    )
    .where(
      and(
        eq(subscriptions.realmId, realmId),
        channelIds && inArray(subscriptions.channelId, [...channelIds]),
        eq(subscriptions.isActive, true),
        eq(users.isActive, true),
      ),
    )
    .orderBy(asc(subscriptions.channelId), asc(subscriptions.userId));
  const byChannel = new Map<number, number[]>();
  for (const { channelId, userId } of rows) {
    const known = byChannel.get(channelId);
    if (known) known.push(userId);
    else byChannel.set(channelId, [userId]);
  }
  return byChannel;
}

/**
 * Whether somebody may read a message of a channel: in a public one everybody but guests may,
 * guests too where it is open to the web, and subscribers; in a private one its subscribers; with
 * protected history only what was placed there during one of their subscriptions. `periods` are the
 * reader's own (of other channels too).
 */
export function mayReadMessage(
  channel: Pick<ChannelRow, "id" | "historyPublicToSubscribers"> & Openness,
  periods: readonly SubscriptionPeriod[],
  role: number,
  message: { placedAt: number },
): boolean {
  if (mayReadChannel(role, channel, false)) return true;
  const ofChannel = periods.filter(({ channelId }) => channelId === channel.id);
  if (!ofChannel.some(({ toLog }) => toLog === null)) return false;
  if (hasOpenHistory(channel)) return true;
  return ofChannel.some(
    ({ fromMessage, toMessage }) =>
      fromMessage < message.placedAt && (toMessage === null || message.placedAt <= toMessage),
  );
}

/** Whether all who may read in a channel may read all of it. */
export const hasOpenHistory = (
  channel: Pick<ChannelRow, "inviteOnly" | "historyPublicToSubscribers">,
): boolean => !channel.inviteOnly || channel.historyPublicToSubscribers;

/**
 * Place of a message in its channel's time: its own id, or the newest id when it was moved there
 * last.
 */
const placedAt = ({ messages }: Reader["t"]) =>
  sql<number>`case when ${messages.placedAt} > ${messages.id} then ${messages.placedAt} else ${messages.id} end`;

/**
 * The condition that a message was placed in its channel during one of these periods, which are of
 * that channel.
 */
export function placedWithin(t: Reader["t"], periods: readonly SubscriptionPeriod[]): SQL {
  const place = placedAt(t);
  const stretches = periods.map(({ fromMessage, toMessage }) =>
    and(gt(place, fromMessage), toMessage === null ? undefined : lte(place, toMessage)),
  );
  return or(...stretches) ?? sql`1 = 0`;
}

/** Present and past subscriptions of some users to some channels. */
export async function findSubscriptions(
  reader: Reader,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<SubscriptionRow[]> {
  const { subscriptions } = reader.t;
  const found: SubscriptionRow[] = [];
  for (const chunk of inChunks(userIds)) {
    const isAmong = and(
      eq(subscriptions.realmId, realmId),
      inArray(subscriptions.userId, chunk),
      inArray(subscriptions.channelId, [...channelIds]),
    );
    found.push(...(await reader.db.select().from(subscriptions).where(isAmong)));
  }
  return found;
}

/**
 * The newest beginning of a period that any of these users have of these channels, as a log id; 0
 * if there is none.
 */
export async function newestPeriodStart(
  reader: Reader,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<number> {
  const { subscriptionPeriods: periods } = reader.t;
  let newest = 0;
  for (const chunk of inChunks(userIds)) {
    const [row] = await reader.db
      .select({ start: sql<number>`max(${periods.fromLog})`.mapWith(Number) })
      .from(periods)
      .where(
        and(
          eq(periods.realmId, realmId),
          inArray(periods.userId, chunk),
          inArray(periods.channelId, [...channelIds]),
        ),
      );
    newest = Math.max(newest, row?.start ?? 0);
  }
  return newest;
}

/** The condition that a period of one of these users in a channel is open. */
export const isOpenPeriod = (
  { subscriptionPeriods: periods }: Reader["t"],
  realmId: number,
  channelId: number,
  userIds: number[],
) =>
  and(
    eq(periods.realmId, realmId),
    eq(periods.channelId, channelId),
    inArray(periods.userId, userIds),
    isNull(periods.toLog),
  );
