import { type Static, Type } from "@sinclair/typebox";
import type { Schema } from "../../db/schema";
import { nullable } from "../core/params";
import {
  type GroupSettingValue,
  groupSettingValue,
  permissionParameters,
  type SystemGroupIds,
} from "../core/rights/group-setting";
import { type SystemGroupName, systemGroupNames } from "../protocol/system-groups";
import { channelGroupSettings, resolveChannelGroupSettings } from "./group-settings";
import { topicsPolicies } from "./topics-policy";

/**
 * Numbers for older clients instead of `can_send_message_group`: 1 for every group without a number
 * of its own.
 */
const postPolicies: Partial<Record<SystemGroupName, number>> = {
  "role:administrators": 2,
  "role:fullmembers": 3,
  "role:moderators": 4,
};

const announcementPolicy = 2;

/** The posting permission as a number for older clients. */
export function postPolicyOf(holders: GroupSettingValue, systemGroupIds: SystemGroupIds) {
  const senders = systemGroupNames.find((name) => systemGroupIds[name] === holders);
  const postPolicy = (senders && postPolicies[senders]) ?? 1;
  return { postPolicy, isAnnouncementOnly: postPolicy === announcementPolicy };
}

/**
 * A channel for everybody who may know it (`test/recorded/api/api-surface.json`, BasicChannel),
 * with exactly the protocol's keys, because some clients refuse others.
 */
export const channelObject = Type.Object(
  {
    stream_id: Type.Integer(),
    name: Type.String(),
    is_archived: Type.Boolean(),
    description: Type.String({ description: "Markdown." }),
    date_created: Type.Integer(),
    creator_id: nullable(Type.Integer()),
    invite_only: Type.Boolean({ description: "Whether the channel is private." }),
    rendered_description: Type.String({ description: "HTML of the description." }),
    is_web_public: Type.Boolean(),
    stream_post_policy: Type.Integer({
      description: "For older clients, instead of `can_send_message_group`.",
    }),
    message_retention_days: nullable(
      Type.Integer({ description: "-1 for ever; null for the organization's default." }),
    ),
    history_public_to_subscribers: Type.Boolean({
      description: "Whether new subscribers may read earlier messages.",
    }),
    topics_policy: Type.String({
      enum: [...topicsPolicies],
      description: "Allowed topics; `inherit` means the organization's policy.",
    }),
    first_message_id: nullable(Type.Integer()),
    folder_id: nullable(Type.Integer()),
    is_recently_active: Type.Boolean(),
    is_announcement_only: Type.Boolean({
      description: "For older clients, instead of `can_send_message_group`.",
    }),
    ...permissionParameters(channelGroupSettings, () => groupSettingValue),
    subscriber_count: Type.Integer(),
    stream_weekly_traffic: nullable(
      Type.Integer({
        description: "Messages a week; null for a channel that is too young.",
      }),
    ),
  },
  { title: "Channel" },
);

export type BasicChannel = Static<typeof channelObject>;

/**
 * A channel in `GET /streams`, which has no `can_create_topic_group` in the documented protocol.
 * Some clients refuse members that they do not know there.
 */
export const listedChannelObject = Type.Omit(channelObject, ["can_create_topic_group"], {
  title: "ListedChannel",
});

export function channelWire(
  channel: Schema["channels"]["$inferSelect"],
  subscriberCount: number,
  systemGroupIds: SystemGroupIds,
): BasicChannel {
  const settings = resolveChannelGroupSettings(channel.settings, systemGroupIds);
  const { postPolicy, isAnnouncementOnly } = postPolicyOf(
    settings.can_send_message_group,
    systemGroupIds,
  );
  return {
    stream_id: channel.id,
    name: channel.name,
    is_archived: channel.isArchived,
    description: channel.description,
    date_created: channel.createdAt,
    creator_id: channel.creatorId,
    invite_only: channel.inviteOnly,
    rendered_description: channel.renderedDescription,
    is_web_public: channel.isWebPublic,
    stream_post_policy: postPolicy,
    message_retention_days: channel.messageRetentionDays,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    topics_policy: channel.topicsPolicy,
    first_message_id: channel.firstMessageId,
    folder_id: channel.folderId,
    is_recently_active: channel.isRecentlyActive,
    is_announcement_only: isAnnouncementOnly,
    ...settings,
    subscriber_count: subscriberCount,
    stream_weekly_traffic: channel.weeklyTraffic,
  };
}
