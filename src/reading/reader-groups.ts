import { and, eq } from "drizzle-orm";
import { type ChannelRow, privacyRule } from "../channels/queries";
import type { ChannelPlace } from "../core/audience";
import type { Tx } from "../core/context";
import { hasOpenHistory } from "../core/reading-right/predicate";

/** Messages with one audience, in the order in which they were given. */
interface ReaderGroup<Message> {
  place: ChannelPlace;
  messages: Message[];
}

/**
 * Groups messages of a channel by the people who may read them. With protected
 * history these depend on the place of a message among the beginnings and ends of subscriptions.
 */
export async function groupByReaders<Message extends { placedAt: number }>(
  tx: Tx,
  channel: ChannelRow,
  messages: readonly Message[],
): Promise<ReaderGroup<Message>[]> {
  const place = { channelId: channel.id, ...privacyRule(channel) };
  if (hasOpenHistory(channel)) return [{ place, messages: [...messages] }];
  const ends = messages.length > 1 ? await listEnds(tx, channel) : [];
  const groups = Map.groupBy(messages, ({ placedAt }) => countBelow(ends, placedAt));
  return [...groups.values()].map((some) => ({
    place: { ...place, guardedPlace: some[0]?.placedAt ?? 0 },
    messages: some,
  }));
}

/** Message ids at which subscriptions of a channel begin and end, ascending. */
async function listEnds(tx: Tx, { realmId, id }: ChannelRow): Promise<number[]> {
  const { subscriptionPeriods: periods } = tx.t;
  const rows = await tx.db
    .selectDistinct({ from: periods.fromMessage, to: periods.toMessage })
    .from(periods)
    .where(and(eq(periods.realmId, realmId), eq(periods.channelId, id)));
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
