import { htmlBytesMax } from "../../markdown/render";
import type { ExportedTable } from "../realm-archive/tables";
import type { Numbered } from "./shifts";

/**
 * What is in a column that has to do with ids or with the organization's place. Everything else
 * stays as it is.
 */
export type Content =
  /** An id of a row of that table; `nullIfGone`: without it the row still means something. */
  | { is: "id"; of: Numbered; nullIfGone?: true; zero?: true }
  /** A place among messages or in the log. */
  | { is: "place"; of: "messages" | "event_log" }
  /** Numbers with commas between, or a JSON list: people, or what the row's type says. */
  | { is: "people" }
  | { is: "peopleJson" }
  | { is: "target" }
  | { is: "markdown" }
  /** Rendered from the column that is named, in at most so many bytes. */
  | { is: "html"; from: string; bytesMax: number }
  | { is: "groupSettings" }
  | { is: "realmSettings" }
  | { is: "profile" }
  | { is: "emojiCode" }
  | { is: "block" }
  | { is: "widget" }
  | { is: "path" }
  | { is: "fragment" };

const id = (of: Numbered): Content => ({ is: "id", of });
/** Of something that may be gone. */
const idOrNull = (of: Numbered): Content => ({ is: "id", of, nullIfGone: true });
/** 0 stands for something else than a row. */
const idOrZero = (of: Numbered): Content => ({ is: "id", of, zero: true });
const messagePlace: Content = { is: "place", of: "messages" };
const logPlace: Content = { is: "place", of: "event_log" };
const markdown: Content = { is: "markdown" };
const html = (from: string, bytesMax = htmlBytesMax.message): Content => ({
  is: "html",
  from,
  bytesMax,
});
const htmlOfDescription = html("description", htmlBytesMax.description);
const [user, message, channel] = [id("users"), id("messages"), id("channels")];

type Contents = Readonly<Record<string, Content>>;

/** By table and column. A row's own id, and the realm's, go without saying. */
export const contents: Readonly<Record<ExportedTable, Contents>> = {
  realms: { settings: { is: "realmSettings" } },
  users: { bot_owner_id: idOrNull("users"), profile_data: { is: "profile" } },
  user_groups: { creator_id: idOrNull("users"), settings: { is: "groupSettings" } },
  user_group_members: { group_id: id("user_groups"), user_id: user },
  user_group_subgroups: { group_id: id("user_groups"), subgroup_id: id("user_groups") },
  channel_folders: {
    creator_id: idOrNull("users"),
    description: markdown,
    rendered_description: htmlOfDescription,
  },
  channels: {
    description: markdown,
    rendered_description: htmlOfDescription,
    creator_id: idOrNull("users"),
    folder_id: idOrNull("channel_folders"),
    first_message_id: idOrNull("messages"),
    settings: { is: "groupSettings" },
  },
  profile_fields: {},
  realm_domains: {},
  linkifiers: {},
  playgrounds: {},
  realm_emoji: { author_id: idOrNull("users") },
  bots: {
    user_id: user,
    default_sending_channel_id: idOrNull("channels"),
    default_events_channel_id: idOrNull("channels"),
  },
  bot_storage: { user_id: user },
  webhook_templates: {},
  subscriptions: { user_id: user, channel_id: channel },
  subscription_periods: {
    user_id: user,
    channel_id: channel,
    from_message: messagePlace,
    to_message: messagePlace,
    from_log: logPlace,
    to_log: logPlace,
  },
  user_topics: { user_id: user, channel_id: channel },
  alert_words: { user_id: user },
  muted_users: { user_id: user, muted_user_id: user },
  navigation_views: { user_id: user, fragment: { is: "fragment" } },
  onboarding_steps: { user_id: user },
  user_presences: { user_id: user },
  user_statuses: { user_id: user, emoji_code: { is: "emojiCode" } },
  conversations: { user_ids: { is: "people" } },
  conversation_members: { user_id: user, conversation_id: id("conversations") },
  messages: {
    sender_id: user,
    channel_id: channel,
    sent_channel_id: channel,
    placed_at: messagePlace,
    conversation_id: id("conversations"),
    content: markdown,
    rendered_content: html("content"),
    mentions_all_of: idOrZero("channels"),
  },
  message_edits: {
    message_id: message,
    user_id: user,
    prev_content: markdown,
    prev_rendered_content: html("prev_content"),
    prev_channel_id: idOrNull("channels"),
    channel_id: idOrNull("channels"),
  },
  submessages: { message_id: message, sender_id: user, content: { is: "widget" } },
  reactions: { message_id: message, user_id: user, emoji_code: { is: "emojiCode" } },
  attachments: { owner_id: user, path_id: { is: "path" } },
  attachment_messages: { attachment_id: id("attachments"), message_id: message },
  message_flags: { user_id: user, message_id: message },
  read_watermarks: { user_id: user, scope: idOrZero("channels"), read_up_to: messagePlace },
  read_blocks: { user_id: user, scope: idOrZero("channels"), block: { is: "block" } },
  drafts: { user_id: user, to: { is: "target" }, content: markdown },
  saved_snippets: { user_id: user, content: markdown },
  scheduled_messages: {
    user_id: user,
    channel_id: channel,
    user_ids: { is: "peopleJson" },
    content: markdown,
    rendered_content: html("content"),
  },
  reminders: {
    user_id: user,
    message_id: message,
    note: markdown,
    content: markdown,
    rendered_content: html("content"),
  },
};
