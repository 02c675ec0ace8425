import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import { cached } from "../memory/cached";

/** For each channel, the channels from which messages were moved into it. */
export type MovedPairs = ReadonlyMap<number, readonly number[]>;

/**
 * Pairs of channels between which a realm's messages were moved. Each step searches the index of
 * moved messages for the next pair, because many messages have few pairs.
 */
const selectPairs = statement((db, { messages }, given: Given<{ realmId: number }>) => {
  const { sentChannelId: sent, channelId: channel } = messages;
  const isMoved = and(eq(messages.realmId, given.realmId), ne(channel, sent));
  const least = (column: SQL | typeof sent, condition?: SQL) =>
    sql`(select min(${column}) from ${messages} where ${and(isMoved, condition)})`;
  const pairs = sql`(with recursive
    origins(origin) as (select ${least(sent)}
      union all select ${least(sent, sql`${sent} > origins.origin`)} from origins where origins.origin is not null),
    pairs(origin, place) as (
      select origins.origin, ${least(channel, sql`${sent} = origins.origin`)} from origins where origins.origin is not null
      union all select pairs.origin, ${least(channel, sql`${sent} = pairs.origin and ${channel} > pairs.place`)}
        from pairs where pairs.place is not null)
    select origin, place from pairs where place is not null) moved_pairs`;
  return db
    .select({
      origin: sql<number>`moved_pairs.origin`.mapWith(Number),
      place: sql<number>`moved_pairs.place`.mapWith(Number),
    })
    .from(pairs);
});

const pairsOf = cached(
  ["messages"],
  async (reader, realmId): Promise<MovedPairs> => {
    const pairs = Map.groupBy(await selectPairs(reader, { realmId }), ({ place }) => place);
    return new Map([...pairs].map(([place, rows]) => [place, rows.map(({ origin }) => origin)]));
  },
  { isOneRead: true },
);

/** The channels from which messages were moved, by the channel that they are in now. */
export const movedPairs = (reader: Reader, realmId: number): Promise<MovedPairs> =>
  pairsOf(reader, realmId);
