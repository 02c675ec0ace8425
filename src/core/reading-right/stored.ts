import { and, eq, type SQL } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";
import { cached } from "../../memory/cached";
import { type Period, type Periods, periodsIn } from "./periods";
import { type HistoryRule, hasOpenHistory } from "./predicate";
import { isWithin, placedAt } from "./sql";

/** Reads the facts of the right to read from the database. */

const periodColumns = ({ subscriptionPeriods: periods }: Reader["t"]) => ({
  channelId: periods.channelId,
  fromMessage: periods.fromMessage,
  toMessage: periods.toMessage,
  fromLog: periods.fromLog,
  toLog: periods.toLog,
});

/** All periods of a user, from the database. `listPeriods` caches them. */
export const selectPeriods = statement((db, t, given: Given<{ realmId: number; userId: number }>) =>
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

/** Number of people of a realm whose periods are cached. */
const peopleMax = 1_000;

const periodsOf = cached(
  ["subscription_periods"],
  async (reader, realmId, userId): Promise<Periods> =>
    selectPeriods(reader, { realmId, userId: Number(userId) }),
  { variantsMax: peopleMax, isOneRead: true },
);

/** All periods during which somebody was subscribed to any channel. */
export const listPeriods = (reader: Reader, realmId: number, userId: number): Promise<Periods> =>
  periodsOf(reader, realmId, String(userId));

/** The periods of some users in a channel, by user. */
export async function findPeriodsAmong(
  reader: Reader,
  { realmId, id: channelId }: { realmId: number; id: number },
  userIds: readonly number[],
): Promise<Map<number, Period[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await selectPeriodsIn(reader, { realmId, channelId, ids: JSON.stringify(userIds) });
  return Map.groupBy(rows, ({ userId }) => userId);
}

/**
 * The condition that selects the messages that somebody may read in a channel that they may read
 * in. Undefined where they may read all of them, and for the operator, whose `userId` is undefined.
 */
export async function readableBy(
  reader: Reader,
  userId: number | undefined,
  channel: { realmId: number; id: number } & HistoryRule,
): Promise<SQL | undefined> {
  if (userId === undefined || hasOpenHistory(channel)) return undefined;
  const periods = await listPeriods(reader, channel.realmId, userId);
  return isWithin(placedAt(reader.t), periodsIn(periods, channel.id));
}
