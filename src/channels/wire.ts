import type { Schema } from "../../db/schema";
import {
  type GroupSettingValue,
  type SystemGroupIds,
  type SystemGroupName,
  systemGroupNames,
} from "../core/group-setting";
import { resolveChannelGroupSettings } from "./group-settings";

/** What older clients read instead of `can_send_message_group`: 1 for every group that has no number of its own. */
const postPolicies: Partial<Record<SystemGroupName, number>> = {
  "role:administrators": 2,
  "role:fullmembers": 3,
  "role:moderators": 4,
};

const announcementPolicy = 2;

/** How older clients read who may post. */
export function postPolicyOf(holders: GroupSettingValue, systemGroupIds: SystemGroupIds) {
  const senders = systemGroupNames.find((name) => systemGroupIds[name] === holders);
  const postPolicy = (senders && postPolicies[senders]) ?? 1;
  return { postPolicy, isAnnouncementOnly: postPolicy === announcementPolicy };
}

/** A channel as all who may know it see it. */
export type BasicChannel = ReturnType<typeof channelWire>;

/**
 * The protocol's channel object (`api/api-surface.json`, BasicChannel) with exactly its keys: some clients refuse others.
 */
export function channelWire(
  channel: Schema["channels"]["$inferSelect"],
  subscriberCount: number,
  systemGroupIds: SystemGroupIds,
) {
  const settings = resolveChannelGroupSettings(channel.settings, systemGroupIds);
  const { postPolicy, isAnnouncementOnly } = postPolicyOf(settings.can_send_message_group, systemGroupIds);
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
