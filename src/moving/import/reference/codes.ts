import type { TopicsPolicy } from "../../../channels/topics-policy";
import type { SystemGroupName } from "../../../protocol/system-groups";

/*
 * Numbers in the reference server's archive that stand for values with a name here:
 * `docs/protocol/archive.md`.
 */

/** Policies for topics, of channels and of organizations. */
export const topicsPolicyCodes: Readonly<Record<TopicsPolicy, number>> = {
  inherit: 1,
  allow_empty_topic: 2,
  disable_empty_topic: 3,
  empty_topic_only: 4,
};

/**
 * Settings of people and organizations that have named values here, with the number of each name in
 * an archive.
 */
const settingCodes: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  topics_policy: topicsPolicyCodes,
  message_edit_history_visibility_policy: { all: 1, moves: 2, none: 3 },
  resolved_topic_notice_auto_read_policy: { always: 1, except_followed: 2, never: 3 },
};

/** The name that a number stands for; undefined for a number without one. */
export const nameOfCode = (codes: Readonly<Record<string, number>>, code: unknown) =>
  Object.entries(codes).find(([, number]) => number === code)?.[0];

/** The value here for the value of a setting in an archive. */
export function settingFromArchive(name: string, value: unknown): unknown {
  const codes = settingCodes[name];
  return codes === undefined ? value : (nameOfCode(codes, value) ?? value);
}

/** The value in an archive for the value of a setting here. */
export function settingForArchive(name: string, value: unknown): unknown {
  return settingCodes[name]?.[String(value)] ?? value;
}

/** A switch of very old archives, with the numbers that later versions have instead of it. */
interface Switch {
  column: string;
  /** Column with the number. */
  now: string;
  on: number;
  off: number;
}

/**
 * The switches of an organization. `waits`: whether new people had to wait before they could create
 * channels and subscribe others.
 */
export function realmSwitches(waits: boolean): Switch[] {
  const [members, administrators, fullMembers, everyone] = [1, 2, 3, 5];
  const byMembers = waits ? fullMembers : members;
  const closing = (column: string, now: string, off = members): Switch => ({
    column,
    now,
    on: administrators,
    off,
  });
  const opening = (column: string, now: string): Switch => ({
    column,
    now,
    on: everyone,
    off: administrators,
  });
  const waiting = { now: "invite_to_stream_policy", on: byMembers, off: byMembers };
  return [
    closing("add_emoji_by_admins_only", "add_custom_emoji_policy"),
    closing("create_generic_bot_by_admins_only", "bot_creation_policy"),
    closing("create_stream_by_admins_only", "create_stream_policy", byMembers),
    closing("invite_by_admins_only", "invite_to_realm_policy"),
    opening("allow_community_topic_editing", "edit_topic_policy"),
    opening("allow_message_deleting", "delete_own_message_policy"),
    { column: "create_stream_by_admins_only", ...waiting },
  ];
}

type Holders = Readonly<Record<number, SystemGroupName>>;

/** Holders of most permissions, by their numbers in archives from before 10.0. */
const holders: Holders = {
  1: "role:members",
  2: "role:administrators",
  3: "role:fullmembers",
  4: "role:moderators",
  5: "role:everyone",
  6: "role:nobody",
  7: "role:owners",
};

/** A permission whose holders an archive from before 10.0 has as a number. */
export interface NumberedPermission {
  column: string;
  setting: string;
  holders: Holders;
}

const permission = (column: string, setting: string, of = holders): NumberedPermission => ({
  column,
  setting,
  holders: of,
});

const botMakers: Holders = { ...holders, 3: "role:administrators" };

/** The numbered permissions of an organization; later ones are from newer versions. */
export const realmPermissions: readonly NumberedPermission[] = [
  permission("add_custom_emoji_policy", "can_add_custom_emoji_group"),
  permission("bot_creation_policy", "can_create_bots_group", botMakers),
  // The second policy limited only bots that may read.
  permission("bot_creation_policy", "can_create_write_only_bots_group", {
    ...botMakers,
    2: "role:members",
  }),
  permission("create_stream_policy", "can_create_private_channel_group"),
  permission("create_stream_policy", "can_create_public_channel_group"),
  permission("create_private_stream_policy", "can_create_private_channel_group"),
  permission("create_public_stream_policy", "can_create_public_channel_group"),
  permission("create_web_public_stream_policy", "can_create_web_public_channel_group"),
  permission("delete_own_message_policy", "can_delete_own_message_group"),
  permission("edit_topic_policy", "can_move_messages_between_topics_group"),
  permission("invite_to_realm_policy", "can_invite_users_group"),
  permission("invite_to_stream_policy", "can_add_subscribers_group"),
  permission("move_messages_between_streams_policy", "can_move_messages_between_channels_group"),
  permission("private_message_policy", "direct_message_permission_group", {
    1: "role:everyone",
    2: "role:nobody",
  }),
  permission("user_group_edit_policy", "can_create_groups"),
  permission("wildcard_mention_policy", "can_mention_many_users_group", {
    1: "role:everyone",
    2: "role:members",
    3: "role:fullmembers",
    5: "role:administrators",
    6: "role:nobody",
    7: "role:moderators",
  }),
];

/** The numbered permission of a channel. */
export const channelPermissions: readonly NumberedPermission[] = [
  permission("stream_post_policy", "can_send_message_group", { ...holders, 1: "role:everyone" }),
];

/** Settings of an organization that name a channel, with the columns of an archive. */
export const channelColumns: Readonly<Record<string, string>> = {
  new_stream_announcements_stream_id: "new_stream_announcements_stream",
  signup_announcements_stream_id: "signup_announcements_stream",
  zulip_update_announcements_stream_id: "zulip_update_announcements_stream",
  moderation_request_channel_id: "moderation_request_channel",
};

/**
 * Kinds of recipients. Archives from before 12.0 have a recipient of the kind `person` for each
 * person.
 */
export const recipientTypes = { person: 1, channel: 2, group: 3 };

/** Kind of a scheduled message that will be sent. Messages of the other kind are reminders. */
export const toBeSent = 1;

/** The topic of direct messages. */
export const directTopic = "\u0007";

/** Bits in the flags of a row of `zerver_usermessage`. */
export const readBit = 1;
export const channelWildcardBit = 16;
export const historicalBit = 1_024;
export const directBit = 2_048;
export const flagBits: readonly (readonly [bit: number, flag: string])[] = [
  [2, "starred"],
  [4, "collapsed"],
  [8, "mentioned"],
  [32, "topic_wildcard_mentioned"],
  [512, "has_alert_word"],
];
