import {
  applyChannelFolders,
  applyChannels,
  applyDefaultChannels,
  channelFoldersFrom,
  channelsFrom,
  defaultChannelsFrom,
} from "./channels";
import { applyConversations, conversationsFrom } from "./conversations";
import { applyDrafts, draftsFrom } from "./drafts";
import { applyEmoji, emojiFrom } from "./emoji";
import { applyGroups, groupsFrom } from "./groups";
import { applyMutedUsers, mutedUsersFrom } from "./muted-users";
import { applyHints, applyNavigation, hintsFrom, navigationFrom } from "./navigation";
import {
  applyPlaygrounds,
  applyProfileFields,
  playgroundsFrom,
  profileFieldsFrom,
} from "./organization-lists";
import { applyPresences, presencesFrom } from "./presence";
import { applyOrganization, organizationFrom, serverFrom } from "./realm";
import { applyReminders, applyScheduled, remindersFrom, scheduledFrom } from "./scheduled";
import { alertWordsFrom, applyAlertWords, applySettings, settingsFrom } from "./settings";
import { applySnippets, snippetsFrom } from "./snippets";
import { applyStarred, starredFrom } from "./starred";
import { applyStatuses, statusesFrom } from "./status";
import { applyTyping, typingFrom } from "./typing";
import { applyUnread, unreadFrom } from "./unread";
import { applyUserTopics, userTopicsFrom } from "./user-topics";
import { applyUsers, usersFrom } from "./users";
import type { Event, EventType, Register } from "./wire";

/** The model from the answer of `register`. */
export const modelFrom = (register: Register) => ({
  /** The id of the signed-in person. */
  me: register.user_id,
  server: serverFrom(register),
  organization: organizationFrom(register),
  settings: settingsFrom(register),
  alertWords: alertWordsFrom(register),
  users: usersFrom(register),
  groups: groupsFrom(register),
  profileFields: profileFieldsFrom(register),
  channels: channelsFrom(register),
  channelFolders: channelFoldersFrom(register),
  defaultChannels: defaultChannelsFrom(register),
  userTopics: userTopicsFrom(register),
  unread: unreadFrom(register),
  starred: starredFrom(register),
  conversations: conversationsFrom(register),
  mutedUsers: mutedUsersFrom(register),
  drafts: draftsFrom(register),
  snippets: snippetsFrom(register),
  scheduled: scheduledFrom(register),
  reminders: remindersFrom(register),
  statuses: statusesFrom(register),
  presences: presencesFrom(register),
  typing: typingFrom(),
  emoji: emojiFrom(register),
  playgrounds: playgroundsFrom(register),
  navigation: navigationFrom(register),
  hints: hintsFrom(register),
});

/** The client's knowledge of the organization, as of the newest event that it has applied. */
export type Model = Readonly<ReturnType<typeof modelFrom>>;

type Feature = Exclude<keyof Model, "me" | "server">;
type Folds = {
  [Name in Feature]: (value: Model[Name], event: Event, model: Model) => Model[Name];
};

/** For each feature, the function that applies an event to it. */
const folds: Folds = {
  organization: applyOrganization,
  settings: applySettings,
  alertWords: applyAlertWords,
  users: applyUsers,
  groups: applyGroups,
  profileFields: applyProfileFields,
  channels: applyChannels,
  channelFolders: applyChannelFolders,
  defaultChannels: applyDefaultChannels,
  userTopics: applyUserTopics,
  unread: applyUnread,
  starred: applyStarred,
  conversations: applyConversations,
  mutedUsers: applyMutedUsers,
  drafts: applyDrafts,
  snippets: applySnippets,
  scheduled: applyScheduled,
  reminders: applyReminders,
  statuses: applyStatuses,
  presences: applyPresences,
  typing: applyTyping,
  emoji: applyEmoji,
  playgrounds: applyPlaygrounds,
  navigation: applyNavigation,
  hints: applyHints,
};

const nothing: readonly Feature[] = [];

/**
 * The features that each type of event changes. All types are listed, so a new type on the server
 * causes a type error until somebody has decided what it changes.
 */
const changedBy: Readonly<Record<EventType, readonly Feature[]>> = {
  alert_words: ["alertWords"],
  channel_folder: ["channelFolders"],
  custom_profile_fields: ["profileFields", "users"],
  default_stream_groups: nothing,
  default_streams: ["defaultChannels"],
  delete_message: ["unread", "starred"],
  drafts: ["drafts"],
  message: ["unread", "starred", "conversations", "typing"],
  muted_users: ["mutedUsers"],
  navigation_view: ["navigation"],
  onboarding_steps: ["hints"],
  presence: ["presences"],
  realm: ["organization"],
  realm_emoji: ["emoji"],
  realm_playgrounds: ["playgrounds"],
  realm_user: ["users", "groups", "channels", "statuses", "presences"],
  reminders: ["reminders"],
  saved_snippets: ["snippets"],
  scheduled_messages: ["scheduled"],
  stream: ["channels"],
  subscription: ["channels"],
  typing: ["typing"],
  update_message: ["unread"],
  update_message_flags: ["unread", "starred"],
  user_group: ["groups"],
  user_settings: ["settings", "drafts"],
  user_status: ["statuses"],
  user_topic: ["userTopics"],
  // These change messages, which the feeds hold.
  reaction: nothing,
  submessage: nothing,
  typing_edit_message: nothing,
  // Views request these lists when they are opened.
  attachment: nothing,
  device: nothing,
  invites_changed: nothing,
  realm_bot: nothing,
  realm_domains: nothing,
  realm_export: nothing,
  realm_export_consent: nothing,
  realm_linkifiers: nothing,
  realm_user_settings_defaults: nothing,
  // These are for older clients.
  muted_topics: nothing,
  push_device: nothing,
  heartbeat: nothing,
};

/**
 * The model after an event. Only the changed parts are copied. If nothing changes, the given model
 * is returned. Unknown types from a newer server are ignored.
 */
export function applyEvent(model: Model, event: Event): Model {
  if (!Object.hasOwn(changedBy, event.type)) return model;
  return changedBy[event.type].reduce((after, name) => withFold(after, name, event, model), model);
}

/** Each feature sees the model as it was before the event. */
function withFold<Name extends Feature>(
  after: Model,
  name: Name,
  event: Event,
  before: Model,
): Model {
  const value = folds[name](before[name], event, before);
  return value === before[name] ? after : { ...after, [name]: value };
}
