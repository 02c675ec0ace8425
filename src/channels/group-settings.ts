import {
  creatorSettings,
  type GroupPermission,
  type GroupSettingValue,
  groupPermission,
  parseStoredSettings,
  resolveGroupSettings,
  type StoredGroupSetting,
  type SystemGroupIds,
  storedGroupSetting,
  systemDefault,
} from "../core/rights/group-setting";

/**
 * Permissions of one channel. The realm's permission with that name grants as well, so the default
 * is `role:nobody`: only the people whom the realm allows.
 */
export const channelGroupSettings = {
  can_add_subscribers_group: groupPermission({ default: "role:nobody" }),
  can_administer_channel_group: groupPermission({ default: "channel_creator" }),
  can_create_topic_group: groupPermission({ default: "role:everyone", everyone: true }),
  can_delete_any_message_group: groupPermission({ default: "role:nobody", everyone: true }),
  can_delete_own_message_group: groupPermission({ default: "role:nobody", everyone: true }),
  can_move_messages_out_of_channel_group: groupPermission({
    default: "role:nobody",
    everyone: true,
  }),
  can_move_messages_within_channel_group: groupPermission({
    default: "role:nobody",
    everyone: true,
  }),
  can_remove_subscribers_group: groupPermission({
    default: "role:administrators",
    everyone: true,
    nobody: false,
  }),
  can_resolve_topics_group: groupPermission({ default: "role:nobody", everyone: true }),
  can_send_message_group: groupPermission({ default: "role:everyone", everyone: true }),
  can_subscribe_group: groupPermission({ default: "role:nobody" }),
} satisfies Record<string, GroupPermission>;

export type ChannelGroupSettingName = keyof typeof channelGroupSettings;

type ChannelGroupSettings = Record<ChannelGroupSettingName, GroupSettingValue>;

/** A channel's permissions on the wire. `stored` is `channels.settings`. */
export const resolveChannelGroupSettings = (
  stored: string,
  systemGroupIds: SystemGroupIds,
): ChannelGroupSettings =>
  resolveGroupSettings(channelGroupSettings, stored, systemGroupIds, systemDefault);

/** Initial settings of a new channel: its creator administers it. */
export const channelCreatorSettings = (creatorId: number) =>
  creatorSettings(channelGroupSettings, creatorId);

/**
 * Holders of a channel's permission, as stored: checking them needs no query unless the value
 * contains a group that people made.
 */
export const holdersOf = (
  channel: { settings: string },
  name: ChannelGroupSettingName,
): StoredGroupSetting => storedGroupSetting(channelGroupSettings, channel.settings, name);

/** Stored permissions of a channel, by their names. */
export type ChannelSettingValues = ReadonlyMap<ChannelGroupSettingName, StoredGroupSetting>;

/**
 * Stored settings of a channel after a change of some permissions: only values that differ from the
 * default.
 */
export function withChannelSettings(stored: string, values: ChannelSettingValues): string {
  const settings = parseStoredSettings(stored);
  for (const [name, value] of values) {
    if (value === systemDefault(channelGroupSettings[name])) delete settings[name];
    else settings[name] = value;
  }
  return JSON.stringify(settings);
}

/** Given values of permissions, by name. */
export type GivenChannelSettings = ReadonlyMap<ChannelGroupSettingName, unknown>;
