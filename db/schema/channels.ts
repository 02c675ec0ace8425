import type { Columns } from "./columns";
import { html, idOrNullOf, markdown, personOrNull, uniqueName } from "./traits";

/** Channels. `settings` has the group-setting values that differ from their defaults, as JSON. */
export function channelTables(columns: Columns) {
  const { table, identity, identityKey, integer, text, boolean, uniqueIndex } = columns;
  const channels = table(
    "channels",
    {
      of: "channel",
      exported: true,
      holds: {
        name: uniqueName("Channel"),
        description: markdown,
        renderedDescription: html("description", "description"),
        creatorId: personOrNull,
        folderId: idOrNullOf("channel_folders"),
        firstMessageId: idOrNullOf("messages"),
        settings: { is: "groupSettings" },
      },
      onPersonDeleted: { keep: "others are in the channel" },
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      name: text("name").notNull(),
      /** The name in lower case, because two channels of a realm must not differ only by case. */
      nameKey: text("name_key").notNull(),
      description: text("description").notNull(),
      renderedDescription: text("rendered_description").notNull(),
      inviteOnly: boolean("invite_only").notNull(),
      /** Whether a new subscriber may read earlier messages (always true of a public channel). */
      historyPublicToSubscribers: boolean("history_public_to_subscribers").notNull(),
      isDefault: boolean("is_default").notNull().default(false),
      isArchived: boolean("is_archived").notNull().default(false),
      creatorId: integer("creator_id"),
      folderId: integer("folder_id"),
      firstMessageId: integer("first_message_id"),
      topicsPolicy: text("topics_policy").notNull().default("inherit"),
      messageRetentionDays: integer("message_retention_days"),
      settings: text("settings").notNull().default("{}"),
      createdAt: integer("created_at").notNull(),
      /**
       * Whether the channel is web-public: open to guests, and to people who have not signed in.
       * Never true of a private channel.
       */
      isWebPublic: boolean("is_web_public").notNull().default(false),
      /** Whether there were messages lately, as of the last daily check or message. */
      isRecentlyActive: boolean("is_recently_active").notNull().default(true),
      /** Messages a week, as clients show it; null for a channel that is too young. */
      weeklyTraffic: integer("weekly_traffic"),
      /** Number of times that the e-mail addresses of the channel were replaced. */
      addressGeneration: integer("address_generation").notNull().default(0),
    },
    (t) => [...identityKey(t.realmId, t.id), uniqueIndex("channels_name").on(t.realmId, t.nameKey)],
  );
  return { channels };
}
