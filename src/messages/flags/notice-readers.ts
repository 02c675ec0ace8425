import { and, desc, eq, gt, inArray, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import type { ChannelRow } from "../../channels/queries";
import type { Tx } from "../../core/context";
import { presentSince } from "../../people/presence/present-until";

/**
 * Number of subscribers up to which a notice can count as read for all of them. A mark is a row for
 * each of them, stored by the write of the notice, so in a larger channel it counts as read only
 * for those who are present, as many at most.
 */
const markedReadersMax = 1_000;

interface InChannel {
  realmId: number;
  channelId: number;
  limit: number;
}

const selectSubscribers = statement((db, { subscriptions: of }, given: Given<InChannel>) =>
  db
    .select({ userId: of.userId })
    .from(of)
    .where(
      and(eq(of.realmId, given.realmId), eq(of.channelId, given.channelId), eq(of.isActive, true)),
    )
    .limit(given.limit),
);

/** Looks only at those who were present last, because these have the greatest numbers. */
const selectPresent = statement(
  (db, { subscriptions: of, userPresences: seen }, given: Given<InChannel & { since: number }>) => {
    const newest = db
      .select({ userId: seen.userId })
      .from(seen)
      .where(and(eq(seen.realmId, given.realmId), gt(seen.activeAt, sql`${given.since}`)))
      .orderBy(desc(seen.updateId))
      .limit(given.limit);
    return db
      .select({ userId: of.userId })
      .from(of)
      .where(
        and(
          eq(of.realmId, given.realmId),
          eq(of.channelId, given.channelId),
          eq(of.isActive, true),
          inArray(of.userId, newest),
        ),
      );
  },
);

/** The subscribers of a channel for whom a notice there can count as read from the start. */
export async function noticeReaders(
  tx: Tx,
  { realmId, id: channelId }: ChannelRow,
): Promise<number[]> {
  const limit = markedReadersMax + 1;
  const all = await selectSubscribers(tx, { realmId, channelId, limit });
  const rows =
    all.length < limit
      ? all
      : await selectPresent(tx, {
          realmId,
          channelId,
          limit: markedReadersMax,
          since: presentSince(tx.now),
        });
  return rows.map(({ userId }) => userId);
}
