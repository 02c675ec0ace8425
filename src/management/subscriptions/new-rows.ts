import { sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import { wantedAt, wantedRows, wantedText } from "../../../db/sql/json";
import { wholeNumber } from "../../../db/sql/values";
import type { NewestIds, SubscriptionRow } from "../../channels/subscribers";
import { inChunks } from "../../core/chunks";

/**
 * New rows of subscriptions. Each statement takes its rows as one value, because to build one with
 * a value for each column takes ten times as long as to store the rows.
 */

/** A subscription of somebody to a channel. */
type Pair = Pick<SubscriptionRow, "userId" | "channelId">;

const insertSubscriptions = statement(
  (db, t, given: Given<{ realmId: number; rows: string }>, dialect) => {
    const setting = (name: string) => sql<null>`null`.as(name);
    return db.insert(t.subscriptions).select(
      db
        .select({
          realmId: sql<number>`${wholeNumber(dialect, given.realmId)}`.as("realm_id"),
          userId: sql<number>`${wantedAt(dialect, 0)}`.as("user_id"),
          channelId: sql<number>`${wantedAt(dialect, 1)}`.as("channel_id"),
          isActive: sql<boolean>`true`.as("is_active"),
          color: sql<string>`${wantedText(2)}`.as("color"),
          isMuted: sql<boolean>`false`.as("is_muted"),
          pinToTop: sql<boolean>`false`.as("pin_to_top"),
          desktopNotifications: setting("desktop_notifications"),
          emailNotifications: setting("email_notifications"),
          pushNotifications: setting("push_notifications"),
          audibleNotifications: setting("audible_notifications"),
          wildcardMentionsNotify: setting("wildcard_mentions_notify"),
        })
        .from(wantedRows(dialect, given.rows)),
    );
  },
);

/**
 * Stores active subscriptions, with no settings but their colors. It goes channel by channel,
 * because the index by channel is then filled in its order, which is far quicker.
 */
export async function insertActive(
  tx: Reader,
  realmId: number,
  subscriptions: readonly (Pair & Pick<SubscriptionRow, "color">)[],
) {
  const byChannel = subscriptions.toSorted((a, b) => a.channelId - b.channelId);
  for (const chunk of inChunks(byChannel)) {
    const rows = chunk.map(({ userId, channelId, color }) => [userId, channelId, color]);
    await insertSubscriptions(tx, { realmId, rows: JSON.stringify(rows) });
  }
}

type Start = { realmId: number; fromMessage: number; fromLog: number };

const insertPeriods = statement((db, t, given: Given<Start & { rows: string }>, dialect) =>
  db.insert(t.subscriptionPeriods).select(
    db
      .select({
        realmId: sql<number>`${wholeNumber(dialect, given.realmId)}`.as("realm_id"),
        userId: sql<number>`${wantedAt(dialect, 0)}`.as("user_id"),
        channelId: sql<number>`${wantedAt(dialect, 1)}`.as("channel_id"),
        fromMessage: sql<number>`${wholeNumber(dialect, given.fromMessage)}`.as("from_message"),
        toMessage: sql<null>`null`.as("to_message"),
        fromLog: sql<number>`${wholeNumber(dialect, given.fromLog)}`.as("from_log"),
        toLog: sql<null>`null`.as("to_log"),
      })
      .from(wantedRows(dialect, given.rows)),
  ),
);

/** Opens a period that begins at the newest ids for each subscription. */
export async function insertOpenPeriods(
  tx: Reader,
  realmId: number,
  subscriptions: readonly Pair[],
  newestIds: NewestIds,
) {
  const start = { realmId, fromMessage: newestIds.message, fromLog: newestIds.log };
  for (const chunk of inChunks(subscriptions)) {
    const rows = chunk.map(({ userId, channelId }) => [userId, channelId]);
    await insertPeriods(tx, { ...start, rows: JSON.stringify(rows) });
  }
}
