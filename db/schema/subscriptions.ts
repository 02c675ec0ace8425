import { isNotNull } from "drizzle-orm";
import type { Columns } from "./columns";
import { channel, logPlace, messagePlace, person } from "./traits";

/**
 * Subscriptions with their personal settings, and the periods of subscriptions. A period contains
 * the messages with `from_message < id <= to_message` and the events with `from_log < id <=
 * to_log`. An end of null means that the period is still open. By the periods chatd knows who
 * received a message, without a row for each recipient.
 */
export const subscriptionTables = (columns: Columns) => ({
  subscriptions: subscriptionsTable(columns),
  subscriptionPeriods: subscriptionPeriodsTable(columns),
});

const subscriptionsTable = ({ table, integer, text, boolean, index, primaryKey }: Columns) =>
  table(
    "subscriptions",
    {
      of: "channel",
      exported: true,
      holds: { userId: person, channelId: channel },
      onPersonDeleted: { keep: "a deactivated account stays in its channels" },
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      channelId: integer("channel_id").notNull(),
      isActive: boolean("is_active").notNull(),
      color: text("color").notNull(),
      isMuted: boolean("is_muted").notNull().default(false),
      pinToTop: boolean("pin_to_top").notNull().default(false),
      desktopNotifications: boolean("desktop_notifications"),
      emailNotifications: boolean("email_notifications"),
      pushNotifications: boolean("push_notifications"),
      audibleNotifications: boolean("audible_notifications"),
      wildcardMentionsNotify: boolean("wildcard_mentions_notify"),
    },
    (t) => [
      primaryKey(t.realmId, t.userId, t.channelId),
      index("subscriptions_channel").on(t.realmId, t.channelId, t.isActive, t.userId),
      index("subscriptions_email")
        .on(t.realmId, t.channelId)
        .where(isNotNull(t.emailNotifications)),
      index("subscriptions_push").on(t.realmId, t.channelId).where(isNotNull(t.pushNotifications)),
    ],
  );

const subscriptionPeriodsTable = ({ table, integer, primaryKey }: Columns) =>
  table(
    "subscription_periods",
    {
      of: "channel",
      exported: true,
      holds: {
        userId: person,
        channelId: channel,
        fromMessage: messagePlace,
        toMessage: messagePlace,
        fromLog: logPlace,
        toLog: logPlace,
      },
      onPersonDeleted: { keep: "it tells who received a message" },
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      channelId: integer("channel_id").notNull(),
      fromMessage: integer("from_message").notNull(),
      toMessage: integer("to_message"),
      fromLog: integer("from_log").notNull(),
      toLog: integer("to_log"),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.channelId, t.fromLog)],
  );
