import type { Columns } from "./columns";
import { channel, idOf, lines, uniqueName } from "./traits";

/** Groups of channels that newcomers may choose, in addition to the default channels. */
export const defaultChannelGroupTables = (columns: Columns) => ({
  defaultChannelGroups: groupsTable(columns),
  defaultChannelGroupChannels: groupChannelsTable(columns),
});

const groupsTable = ({ table, identity, identityKey, integer, text, uniqueIndex }: Columns) =>
  table(
    "default_channel_groups",
    {
      of: "realm",
      exported: true,
      holds: { name: uniqueName("Channels"), description: lines },
    },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      name: text("name").notNull(),
      description: text("description").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("default_channel_groups_name").on(t.realmId, t.name),
    ],
  );

const groupChannelsTable = ({ table, integer, index, primaryKey }: Columns) =>
  table(
    "default_channel_group_channels",
    {
      of: "channel",
      exported: true,
      holds: { groupId: idOf("default_channel_groups"), channelId: channel },
    },
    {
      realmId: integer("realm_id").notNull(),
      groupId: integer("group_id").notNull(),
      channelId: integer("channel_id").notNull(),
    },
    (t) => [
      primaryKey(t.realmId, t.groupId, t.channelId),
      index("default_channel_group_channels_channel").on(t.realmId, t.channelId),
    ],
  );
