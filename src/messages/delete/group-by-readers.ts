import { and, eq } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { joinInOrder } from "../../../db/sql/rows";
import { type ChannelRow, privacyRule } from "../../channels/queries";
import type { ChannelPlace } from "../../core/audience";
import type { Tx } from "../../core/context";
import { hasOpenHistory } from "../../core/reading-right/predicate";

/** Messages of a channel with equal readers, in the order in which they were given. */
interface Group<Message> {
  place: ChannelPlace;
  messages: Message[];
}

/**
 * Messages of a channel by the subscribers who may read them, so that they are announced together.
 * With protected history these depend on a message's place among the beginnings and ends of the
 * subscriptions.
 */
export async function groupByReaders<Message extends { placedAt: number }>(
  tx: Tx,
  channel: ChannelRow,
  messages: readonly Message[],
): Promise<Group<Message>[]> {
  const place = { channelId: channel.id, ...privacyRule(channel) };
  if (hasOpenHistory(channel)) return [{ place, messages: [...messages] }];
  const ends = messages.length > 1 ? await listEnds(tx, channel) : [];
  const groups = Map.groupBy(messages, ({ placedAt }) => countBelow(ends, placedAt));
  return [...groups.values()].map((some) => ({
    place: { ...place, guardedPlace: some[0]?.placedAt ?? 0 },
    messages: some,
  }));
}

/**
 * Beginnings and ends of the subscriptions of people who are subscribed to a channel now: nobody
 * else hears of its messages. Each person's are searched for, because periods have no index by
 * channel, which would make each subscription slower.
 */
const selectEnds = statement(
  (db, t, given: Given<{ realmId: number; channelId: number }>, dialect) => {
    const { subscriptions: s, subscriptionPeriods: periods } = t;
    const ofPerson = joinInOrder(
      dialect,
      periods,
      and(
        eq(periods.realmId, given.realmId),
        eq(periods.userId, s.userId),
        eq(periods.channelId, given.channelId),
      ),
    );
    const isSubscribed = and(
      eq(s.realmId, given.realmId),
      eq(s.channelId, given.channelId),
      eq(s.isActive, true),
    );
    return db
      .selectDistinct(ofPerson.columns({ from: periods.fromMessage, to: periods.toMessage }))
      .from(s)
      .crossJoin(ofPerson.rows)
      .where(and(isSubscribed, ofPerson.where));
  },
);

/** Message ids at which subscriptions of a channel begin and end, ascending. */
async function listEnds(tx: Tx, { realmId, id: channelId }: ChannelRow): Promise<number[]> {
  const rows = await selectEnds(tx, { realmId, channelId });
  return [...new Set(rows.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))].sort(
    (a, b) => a - b,
  );
}

/** Number of elements of an ascending list that are below a value. */
function countBelow(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
