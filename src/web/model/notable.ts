import { topicPolicies } from "../../protocol/topics";
import { isSubscribed } from "./channels";
import type { FlaggedMessage } from "./message";
import type { Model } from "./snapshot";
import { isMuted } from "./unread";
import { policyOf } from "./user-topics";

/** The features of the model that decide whether the person is notified of a message. */
export type NotableModel = Pick<
  Model,
  "me" | "settings" | "channels" | "userTopics" | "mutedUsers"
>;

/**
 * The settings of each way to notify: for direct messages and mentions, for all messages of a
 * channel, and for followed topics. `push` repeats the server's rule for devices
 * (`src/devices/push/wishes.ts`); a test compares the two.
 */
const ways = {
  desktop: {
    forMe: "enable_desktop_notifications",
    everything: "enable_stream_desktop_notifications",
    ofChannel: "desktop_notifications",
    followed: "enable_followed_topic_desktop_notifications",
  },
  sound: {
    forMe: "enable_sounds",
    everything: "enable_stream_audible_notifications",
    ofChannel: "audible_notifications",
    followed: "enable_followed_topic_audible_notifications",
  },
  push: {
    forMe: "enable_offline_push_notifications",
    everything: "enable_stream_push_notifications",
    ofChannel: "push_notifications",
    followed: "enable_followed_topic_push_notifications",
  },
} as const;

/** A way to notify the person of messages. */
export type Way = keyof typeof ways;

type Facts = Pick<FlaggedMessage, "sender_id" | "stream_id" | "subject" | "flags">;

const wildcards = ["stream_wildcard_mentioned", "topic_wildcard_mentioned"];

/** Whether the person wants to be notified of a message in a way. */
export function isNotable(message: Facts, model: NotableModel, way: Way): boolean {
  const { sender_id: sender, stream_id: channelId, flags } = message;
  if (sender === model.me || flags.includes("read") || model.mutedUsers.has(sender)) return false;
  const { settings } = model;
  const forMe = settings[ways[way].forMe];
  if (channelId === undefined) return forMe;
  const wishes = wishesFor(message, channelId, model, way);
  if (wishes.everything || wishes.followed) return true;
  if (!forMe) return false;
  if (flags.includes("mentioned")) return true;
  if (wildcards.some((flag) => flags.includes(flag)) && wishes.wildcards) return true;
  // Devices are not notified of alert words, because only clients look for them.
  return way !== "push" && flags.includes("has_alert_word") && wishes.isHeard;
}

/** The person's notification settings for the channel and the topic of a message. */
function wishesFor({ subject }: Facts, channelId: number, model: NotableModel, way: Way) {
  const { settings, channels, userTopics } = model;
  const isFollowed = policyOf(userTopics, channelId, subject) === topicPolicies.followed;
  const isUnmuted = !isMuted({ channels, userTopics }, channelId, subject);
  const channel = isSubscribed(channels, channelId) ? channels.get(channelId) : undefined;
  const everything = channel?.[ways[way].ofChannel] ?? settings[ways[way].everything];
  const ofWildcards = channel?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify;
  return {
    isHeard: isUnmuted || isFollowed,
    everything: isUnmuted && everything,
    followed: isFollowed && settings[ways[way].followed],
    wildcards:
      (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) ||
      (isUnmuted && ofWildcards),
  };
}
