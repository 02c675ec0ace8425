import { and, eq, type SQL } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { isIn } from "../../../db/sql/json";
import { remembered } from "../../memory/remembered";
import { type Period, type Periods, periodsIn } from "./periods";
import { type HistoryRule, hasOpenHistory } from "./predicate";
import { isWithin, placedAt } from "./sql";

/** Reads what the right to read goes by from the database. */

const periodColumns = ({ subscriptionPeriods: periods }: Reader["t"]) => ({
  channelId: periods.channelId,
  fromMessage: periods.fromMessage,
  toMessage: periods.toMessage,
  fromLog: periods.fromLog,
  toLog: periods.toLog,
});

/** All periods of a user, from the database. `listPeriods` has them in memory. */
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

/** The periods of so many people are remembered of a realm. */
const peopleMax = 1_000;

const periodsOf = remembered(
  ["subscription_periods"],
  async (reader, realmId, userId): Promise<Periods> =>
    selectPeriods(reader, { realmId, userId: Number(userId) }),
  { variantsMax: peopleMax, isOneRead: true },
);

/** All periods during which somebody was subscribed to anything. */
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
 * The condition that a message of a channel that somebody may read in is one that they may read:
 * undefined where they may read all of them, and for `userId` undefined, who is the operator.
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
