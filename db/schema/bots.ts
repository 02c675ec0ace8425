import type { Columns } from "./columns";
import { idOrNullOf, lines, person, secret } from "./traits";

/** Facts about bots in addition to their accounts, and their stored texts. */
export function botTables({ table, integer, text, boolean, primaryKey }: Columns) {
  const bots = table(
    "bots",
    {
      of: "bot",
      exported: true,
      holds: {
        userId: person,
        defaultSendingChannelId: idOrNullOf("channels"),
        defaultEventsChannelId: idOrNullOf("channels"),
        sealedToken: secret,
      },
      onPersonDeleted: { keep: "bots are only deactivated" },
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      defaultSendingChannelId: integer("default_sending_channel_id"),
      defaultEventsChannelId: integer("default_events_channel_id"),
      defaultAllPublicChannels: boolean("default_all_public_channels").notNull().default(false),
      /** Address that an outgoing webhook posts to; empty for none. */
      payloadUrl: text("payload_url").notNull().default(""),
      /** Form of posts: 1 is chatd's own, 2 is Slack's. */
      interfaceType: integer("interface_type").notNull().default(1),
      /**
       * Token in posts that proves their origin to the receiver, sealed under the server's secret;
       * null for other kinds.
       */
      sealedToken: text("sealed_token"),
      /** Name of the server's own service that an embedded bot runs; null for other kinds. */
      serviceName: text("service_name"),
      /** Configuration of the service: JSON, texts by name. */
      configData: text("config_data").notNull().default("{}"),
      /** Size of the bot's storage, for its quota. */
      storageBytes: integer("storage_bytes").notNull().default(0),
    },
    (t) => [primaryKey(t.realmId, t.userId)],
  );
  const botStorage = table(
    "bot_storage",
    {
      of: "bot",
      exported: true,
      holds: { userId: person, key: lines, value: lines },
      onPersonDeleted: { keep: "bots are only deactivated" },
    },
    {
      realmId: integer("realm_id").notNull(),
      userId: integer("user_id").notNull(),
      key: text("key").notNull(),
      value: text("value").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.userId, t.key)],
  );
  return { bots, botStorage };
}
