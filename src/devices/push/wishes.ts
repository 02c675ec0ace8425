import type { Reader } from "../../../db/reader";
import { findSubscriptions } from "../../channels/subscribers";
import { findPolicy } from "../../channels/user-topics/queries";
import type { UserRow } from "../../core/context";
import { parseUserSettings, type UserSettings } from "../../people/settings/user-settings";
import { topicPolicies } from "../../protocol/topics";
import type { MessageRow } from "../../reading/queries";
import { unmutedAmong } from "../../reading/unmuted";
import type { Trigger } from "./jobs";

/**
 * Settings and policies of somebody for a channel and a topic, as far as they decide about
 * notifications.
 */
interface Wishes {
  settings: Readonly<UserSettings>;
  /** Settings for the channel; null means the person's general settings. */
  channel: { pushNotifications: boolean | null; wildcardMentionsNotify: boolean | null };
  isFollowed: boolean;
  isUnmuted: boolean;
}

const wantsWildcards = ({ settings, channel, isFollowed, isUnmuted }: Wishes): boolean => {
  if (!settings.enable_offline_push_notifications) return false;
  if (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) return true;
  return isUnmuted && (channel.wildcardMentionsNotify ?? settings.wildcard_mentions_notify);
};

const wantsFollowed = ({ settings, isFollowed }: Wishes) =>
  isFollowed && settings.enable_followed_topic_push_notifications;

const wantsAll = ({ settings, channel, isUnmuted }: Wishes) =>
  isUnmuted && (channel.pushNotifications ?? settings.enable_stream_push_notifications);

/**
 * Whether somebody wants notifications for a reason, by their settings. Settings for less important
 * reasons count, too.
 */
const wants: Record<Trigger, (wishes: Wishes) => boolean> = {
  direct_message: ({ settings }) => settings.enable_offline_push_notifications,
  mentioned: (wishes) =>
    wishes.settings.enable_offline_push_notifications || wantsFollowed(wishes) || wantsAll(wishes),
  group_mentioned: (wishes) => wants.mentioned(wishes),
  topic_wildcard_mentioned: (wishes) =>
    wantsWildcards(wishes) || wantsFollowed(wishes) || wantsAll(wishes),
  stream_wildcard_mentioned: (wishes) => wants.topic_wildcard_mentioned(wishes),
  followed_topic: (wishes) => wantsFollowed(wishes) || wantsAll(wishes),
  stream_push_notify: wantsAll,
};

/**
 * Whether somebody wants a notification of a message for this reason. `isThere`: they are active in
 * a client. Source: `test/recorded/api/register.json`, user settings; the settings of a
 * subscription in `docs/protocol/specification.md`.
 */
export async function wantsPush(
  reader: Reader,
  user: UserRow,
  message: MessageRow,
  { trigger, isThere }: { trigger: Trigger; isThere: boolean },
): Promise<boolean> {
  const settings = parseUserSettings(user.settings);
  if (isThere && !settings.enable_online_push_notifications) return false;
  return wants[trigger]({ settings, ...(await wishesFor(reader, user, message)) });
}

async function wishesFor(
  reader: Reader,
  user: UserRow,
  message: MessageRow,
): Promise<Omit<Wishes, "settings">> {
  const { channelId, topic } = message;
  const channel = { pushNotifications: null, wildcardMentionsNotify: null };
  if (channelId === null) return { channel, isFollowed: false, isUnmuted: true };
  const [subscription] = await findSubscriptions(reader, user.realmId, [channelId], [user.id]);
  const policy = await findPolicy(reader, user.realmId, user.id, { channelId, topic });
  const isUnmuted = await unmutedAmong(reader, user.realmId, user.id, [message]);
  return {
    channel: subscription ?? channel,
    isFollowed: policy === topicPolicies.followed,
    isUnmuted: isUnmuted(message),
  };
}
