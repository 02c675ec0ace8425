import { and, eq, gte, inArray, notInArray, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Given, Reader } from "../../../db/reader";
import { roles } from "../rights/role";
import type { Periods } from "./periods";
import type { ChannelPrivacy } from "./predicate";

/** The right to read (`predicate.ts`) as conditions of queries. */

type Tables = Reader["t"];

/**
 * Place of a message in its channel's history: its own id, or the newest id of all when it was last
 * moved there.
 */
export const placedAt = ({ messages }: Tables) =>
  sql<number>`case when ${messages.placedAt} > ${messages.id} then ${messages.placedAt} else ${messages.id} end`.mapWith(
    Number,
  );

/** The condition that a row of `subscription_periods` holds a place, which is a message id. */
export const periodHolds = ({ subscriptionPeriods: periods }: Tables, place: SQLWrapper): SQL =>
  sql`(${periods.fromMessage} < ${place} and (${periods.toMessage} is null or ${place} <= ${periods.toMessage}))`;

/** The condition that one of these periods, all of one channel, contains a place. */
export const isWithin = (place: SQLWrapper, ofChannel: Periods): SQL =>
  or(
    ...ofChannel.map(({ fromMessage, toMessage }) =>
      toMessage === null
        ? sql`${place} > ${fromMessage}`
        : sql`(${place} > ${fromMessage} and ${place} <= ${toMessage})`,
    ),
  ) ?? sql`1 = 0`;

/** A reader of messages, as placeholders of a query. */
type GivenReader = Given<{ realmId: number; userId: number }>;

const duringPeriod = (t: Tables, given: GivenReader, channelId: SQLWrapper, place: SQLWrapper) => {
  const { subscriptionPeriods: periods } = t;
  return sql`exists (select 1 from ${periods} where ${periods.realmId} = ${given.realmId}
    and ${periods.userId} = ${given.userId} and ${periods.channelId} = ${channelId}
    and ${periodHolds(t, place)})`;
};

/** The condition that a message was placed in its channel while the reader was subscribed to it. */
export const wasPlacedInPeriod = (t: Tables, given: GivenReader): SQL =>
  duringPeriod(t, given, t.messages.channelId, placedAt(t));

/** The condition that a message was sent to a channel while the reader was subscribed to it. */
export const wasReceivedInPeriod = (t: Tables, given: GivenReader): SQL =>
  duringPeriod(t, given, t.messages.sentChannelId, t.messages.id);

/** The condition that a message is in a channel that the reader is subscribed to now. */
export function isInSubscribedChannel(
  { messages, subscriptionPeriods: periods }: Tables,
  given: GivenReader,
): SQL {
  return sql`exists (select 1 from ${periods} where ${periods.realmId} = ${given.realmId}
    and ${periods.userId} = ${given.userId} and ${periods.channelId} = ${messages.channelId}
    and ${periods.toLog} is null)`;
}

/** A channel by the ids of its key. */
interface ChannelKey {
  realmId: number;
  id: number;
}

/** The condition that a user, given by a column of ids, is not subscribed to a channel now. */
export function isNotSubscribed(
  { db, t }: Pick<Reader, "db" | "t">,
  { realmId, id }: ChannelKey | Given<ChannelKey>,
  userId: SQLWrapper,
): SQL {
  const { subscriptions: s } = t;
  const subscribers = db
    .select({ userId: s.userId })
    .from(s)
    .where(and(eq(s.realmId, realmId), eq(s.channelId, id), eq(s.isActive, true)));
  return notInArray(userId, subscribers);
}

/** The condition that a user, given by a column of ids, may not read in a channel. */
export function mayNotRead(
  reader: Reader,
  channel: ChannelKey & ChannelPrivacy,
  userId: SQLWrapper,
): SQL | undefined {
  if (channel.isWebPublic) return sql`1 = 0`;
  const isOutside = isNotSubscribed(reader, channel, userId);
  if (channel.inviteOnly) return isOutside;
  const { users } = reader.t;
  const guests = reader.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.realmId, channel.realmId), gte(users.role, roles.guest)));
  return and(isOutside, inArray(userId, guests));
}
