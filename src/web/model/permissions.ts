import { roles } from "../../protocol/roles";
import { type Channel, isSubscribed } from "./channels";
import type { Groups } from "./groups";
import type { FlaggedMessage } from "./message";
import type { Model } from "./snapshot";
import type { GroupSettingValue, Organization, User } from "./wire";

/*
 * Rights that the client offers by: the server decides, so that a wrong answer here costs a refusal
 * and nothing more.
 */

type RealmPermission = {
  [Name in keyof Organization]: Organization[Name] extends GroupSettingValue
    ? GroupSettingValue extends Organization[Name]
      ? Name
      : never
    : never;
}[keyof Organization];

type ChannelPermission = {
  [Name in keyof Channel & `can_${string}`]: Name;
}[keyof Channel & `can_${string}`];

/** Seconds that are added to time limits, for changes that were begun in time. */
const graceSeconds = 20;

/** Whether somebody is in a group, directly or in one of its nested groups at any depth. */
export function isInGroup(groups: Groups, userId: number, groupId: number): boolean {
  const seen = new Set<number>();
  const waiting = [groupId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const group = groups.get(id);
    if (group === undefined || seen.has(id)) continue;
    if (group.members.has(userId)) return true;
    seen.add(id);
    waiting.push(...group.direct_subgroup_ids);
  }
  return false;
}

/** Whether a permission setting includes somebody. */
export function isHolder(groups: Groups, userId: number, value: GroupSettingValue): boolean {
  if (typeof value === "number") return isInGroup(groups, userId, value);
  return (
    value.direct_members.includes(userId) ||
    value.direct_subgroups.some((id) => isInGroup(groups, userId, id))
  );
}

const roleOf = ({ users, me }: Model): number => users.get(me)?.role ?? roles.guest;

export const isAdministrator = (model: Model): boolean => roleOf(model) <= roles.administrator;
const isModerator = (model: Model): boolean => roleOf(model) <= roles.moderator;
export const isGuest = (model: Model): boolean => roleOf(model) >= roles.guest;

/**
 * Whether guests can have a permission. Most permissions exclude them, whatever groups they are in.
 */
const isForGuests = (model: Model, place: "realm" | "stream", name: string): boolean =>
  model.server.server_supported_permission_settings[place][name]?.allow_everyone_group ?? true;

/** Whether the person has a permission of the organization. */
export function may(model: Model, name: RealmPermission): boolean {
  if (isGuest(model) && !isForGuests(model, "realm", name)) return false;
  return isHolder(model.groups, model.me, model.organization[name]);
}

/** Whether the person has a permission of a channel. */
const mayIn = (model: Model, channel: Channel, name: ChannelPermission): boolean =>
  isHolder(model.groups, model.me, channel[name]);

/** Whether the organization's setting or the channel's setting gives a permission. */
const mayByEither = (
  model: Model,
  channel: Channel | undefined,
  name: RealmPermission & ChannelPermission,
): boolean => may(model, name) || (channel !== undefined && mayIn(model, channel, name));

const channelOf = (model: Model, { stream_id: id }: FlaggedMessage): Channel | undefined =>
  id === undefined ? undefined : model.channels.get(id);

/** Whether the person may send messages to a channel. */
export function maySend(model: Model, channel: Channel): boolean {
  if (channel.is_archived) return false;
  if (isGuest(model) && !isSubscribed(model.channels, channel.stream_id)) return false;
  return mayIn(model, channel, "can_send_message_group");
}

const isInTime = (sentAt: number, limitSeconds: number | null, now: number): boolean =>
  limitSeconds === null || now <= sentAt + limitSeconds;

/** Whether the person may change the content of a message, at a time in UNIX seconds. */
export function mayEdit(model: Model, message: FlaggedMessage, now: number): boolean {
  const { allow_message_editing, message_content_edit_limit_seconds: limit } = model.organization;
  const channel = channelOf(model, message);
  return (
    allow_message_editing &&
    message.sender_id === model.me &&
    message.submessages.length === 0 &&
    isInTime(message.timestamp, limit, now - graceSeconds) &&
    (channel === undefined || maySend(model, channel))
  );
}

/** Whether the person may delete a message for everybody, at a time in UNIX seconds. */
export function mayDelete(model: Model, message: FlaggedMessage, now: number): boolean {
  const channel = channelOf(model, message);
  if (mayByEither(model, channel, "can_delete_any_message_group")) return true;
  const isOwn =
    message.sender_id === model.me || model.users.get(message.sender_id)?.bot_owner_id === model.me;
  const { message_content_delete_limit_seconds: limit } = model.organization;
  return (
    isOwn &&
    mayByEither(model, channel, "can_delete_own_message_group") &&
    isInTime(message.timestamp, limit, now)
  );
}

/**
 * Whether the person may move a message to another topic of its channel, at a time in UNIX seconds.
 */
export function mayMoveToTopic(model: Model, message: FlaggedMessage, now: number): boolean {
  const channel = channelOf(model, message);
  if (!channel || channel.is_archived) return false;
  const { move_messages_within_stream_limit_seconds: limit } = model.organization;
  return (
    (may(model, "can_move_messages_between_topics_group") ||
      mayIn(model, channel, "can_move_messages_within_channel_group")) &&
    (isModerator(model) || isInTime(message.timestamp, limit, now - graceSeconds))
  );
}

/** Whether the person may move a message to another channel, at a time in UNIX seconds. */
export function mayMoveToChannel(model: Model, message: FlaggedMessage, now: number): boolean {
  const channel = channelOf(model, message);
  if (!channel || channel.is_archived) return false;
  const { move_messages_between_streams_limit_seconds: limit } = model.organization;
  return (
    (may(model, "can_move_messages_between_channels_group") ||
      mayIn(model, channel, "can_move_messages_out_of_channel_group")) &&
    (isModerator(model) || isInTime(message.timestamp, limit, now - graceSeconds))
  );
}

/** Whether the person may mark a topic of a channel as resolved or unresolved. */
export const mayResolve = (model: Model, channel: Channel): boolean =>
  !channel.is_archived && mayByEither(model, channel, "can_resolve_topics_group");

/** Whether a message was changed, and the organization shows edit histories. */
export function hasHistory({ organization }: Model, message: FlaggedMessage): boolean {
  const { message_edit_history_visibility_policy: policy } = organization;
  const isMoved = message.last_moved_timestamp !== undefined;
  if (policy === "moves") return isMoved;
  return policy === "all" && (isMoved || message.last_edit_timestamp !== undefined);
}

/**
 * Whether messages can be reported to moderators, that is, whether the organization has a channel
 * for reports.
 */
export const hasReports = ({ organization }: Model): boolean =>
  (organization.moderation_request_channel_id ?? -1) > 0;

/** Whether people can see who has read a message. */
export const hasReceipts = ({ organization }: Model): boolean => organization.enable_read_receipts;

/** Whether the person administers a channel. */
export const mayAdminister = (model: Model, channel: Channel): boolean =>
  !isGuest(model) &&
  (isAdministrator(model) || mayIn(model, channel, "can_administer_channel_group"));

/** Whether the person may change somebody's role, and end their account or have it back. */
export const mayManage = (model: Model, user: User): boolean =>
  isAdministrator(model) &&
  user.is_system_bot !== true &&
  (user.role > roles.owner || roleOf(model) <= roles.owner);

/** Whether the organization would have no active owner without somebody. */
export const isLastOwner = ({ users }: Model, { user_id: id, role, is_active, is_bot }: User) =>
  role <= roles.owner &&
  is_active &&
  !is_bot &&
  ![...users.values()].some(
    (other) =>
      other.user_id !== id && other.role <= roles.owner && other.is_active && !other.is_bot,
  );

/** Whether the person may subscribe themselves to a channel. */
export function mayJoin(model: Model, channel: Channel): boolean {
  if (channel.is_archived) return false;
  if (channel.is_web_public) return true;
  if (isGuest(model)) return false;
  if (!channel.invite_only) return true;
  return (
    mayIn(model, channel, "can_subscribe_group") ||
    mayIn(model, channel, "can_add_subscribers_group")
  );
}

/**
 * Whether the person may subscribe others. For a private channel they must be subscribed
 * themselves, or have the channel's permission for it.
 */
export function mayAddSubscribers(model: Model, channel: Channel): boolean {
  if (isGuest(model)) return false;
  if (mayIn(model, channel, "can_add_subscribers_group")) return true;
  if (channel.invite_only && channel.standing !== "subscribed") return false;
  return mayAdminister(model, channel) || may(model, "can_add_subscribers_group");
}

/** Whether the person may unsubscribe others. */
export const mayRemoveSubscribers = (model: Model, channel: Channel): boolean =>
  isAdministrator(model) ||
  mayIn(model, channel, "can_remove_subscribers_group") ||
  mayIn(model, channel, "can_administer_channel_group");

/** Whether the person may create channels. Guests never may, whatever groups they are in. */
export const mayCreateChannel = (model: Model, isPrivate: boolean): boolean =>
  !isGuest(model) &&
  may(model, isPrivate ? "can_create_private_channel_group" : "can_create_public_channel_group");

/**
 * Whether the person may open channels to the web, where the server and the organization have such.
 */
export const mayOpenToWeb = (model: Model): boolean =>
  model.server.server_web_public_streams_enabled &&
  model.organization.enable_spectator_access &&
  may(model, "can_create_web_public_channel_group");

/** Whether the server sends mail at all. */
export const sendsMail = ({ server }: Model): boolean => server.settings_send_digest_emails;

/** Whether the person may send invitations by mail; false if the server sends no mail. */
export const mayInviteByMail = (model: Model): boolean =>
  sendsMail(model) && !isGuest(model) && may(model, "can_invite_users_group");

/** Whether the person may create invitation links. */
export const mayMakeInviteLinks = (model: Model): boolean =>
  !isGuest(model) && may(model, "create_multiuse_invite_group");

/** Roles with which the person may invite others, the most usual one first. */
export function rolesToInvite(model: Model): readonly number[] {
  const higher = isAdministrator(model) ? [roles.moderator, roles.administrator] : [];
  const highest = roleOf(model) <= roles.owner ? [roles.owner] : [];
  return [roles.member, roles.guest, ...higher, ...highest];
}
