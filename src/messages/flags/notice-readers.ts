import { and, desc, eq, gt, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import type { ChannelRow } from "../../channels/queries";
import { isSubscriptionTo } from "../../channels/subscribers";
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

const selectSubscribers = statement((db, t, given: Given<InChannel>) =>
  db
    .select({ userId: t.subscriptions.userId })
    .from(t.subscriptions)
    .where(isSubscriptionTo(t, given))
    .limit(given.limit),
);

/** Looks only at those who were present last, because these have the greatest numbers. */
const selectPresent = statement((db, t, given: Given<InChannel & { since: number }>) => {
  const { subscriptions: of, userPresences: seen } = t;
  const newest = db
    .select({ userId: seen.userId, activeAt: seen.activeAt })
    .from(seen)
    .where(eq(seen.realmId, given.realmId))
    .orderBy(desc(seen.updateId))
    .limit(given.limit)
    .as("newest");
  return db
    .select({ userId: of.userId })
    .from(newest)
    .innerJoin(of, and(isSubscriptionTo(t, given), eq(of.userId, newest.userId)))
    .where(gt(newest.activeAt, sql`${given.since}`));
});

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
