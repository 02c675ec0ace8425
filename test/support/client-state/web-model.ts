import { type Channel, isSubscribed } from "../../../src/web/model/channels";
import { may } from "../../../src/web/model/permissions";
import type { Model } from "../../../src/web/model/snapshot";

/**
 * A model without what differs from one register to the next without an event, as far as events
 * could tell it to the client that has folded `folded`.
 */
export function comparableModel(model: Model, folded: Model) {
  const {
    presences: _presences,
    typing: _typing,
    conversations: _conversations,
    users,
    channels,
    unread,
    ...rest
  } = model;
  return {
    ...rest,
    // Placeholders for people whom a guest does not see do not count.
    users: new Map([...users].filter(([, { full_name }]) => full_name !== "Unknown user")),
    channels: new Map(
      [...channels].map(([id, channel]) => [id, asLearned(channel, folded.channels.get(id))]),
    ),
    unread: countedUnread(model, unread),
  };
}

/**
 * A channel as far as events can tell: when it becomes visible again, they reveal neither a former
 * subscription nor its settings.
 */
function asLearned(channel: Channel, folded: Channel | undefined) {
  if (folded?.standing !== "never" || channel.standing !== "unsubscribed") return channel;
  const known = Object.entries(channel).filter(([name]) => name in folded);
  return { ...Object.fromEntries(known), standing: "never" };
}

/** Unread messages of channels that the person is not in do not count. */
function countedUnread({ channels }: Model, { topics, direct, mentions }: Model["unread"]) {
  const counted = [...topics].filter(([, { channelId }]) => isSubscribed(channels, channelId));
  const ids = new Set([...counted.map(([, one]) => one.ids), ...direct.values()].flat());
  return {
    topics: new Map(counted),
    direct,
    mentions: new Set([...mentions].filter((id) => ids.has(id))),
  };
}

/** Rights as the model works them out, by the names under which register tells them. */
export const rightsOf = (model: Model) => ({
  can_create_public_streams: may(model, "can_create_public_channel_group"),
  can_create_private_streams: may(model, "can_create_private_channel_group"),
  can_subscribe_other_users: may(model, "can_add_subscribers_group"),
  can_invite_others_to_realm: may(model, "can_invite_users_group"),
});
