import { each, type Shown, shows } from "./shown";

const create = "POST /channels/create";
const email = "GET /streams/{stream_id}/email_address";
const properties = "POST /users/me/subscriptions/properties";

/** Channels and subscriptions. */
export const channelRows: Shown[] = [
  shows(
    "channels/subscription-events.test.ts",
    "A subscription is told with the channel and with one's own settings for it, which are the usual ones at first",
    each(
      "field: Subscription object",
      "stream_id name description rendered_description date_created creator_id",
    ),
    each(
      "field: Subscription object",
      "invite_only subscribers partial_subscribers pin_to_top is_muted in_home_view",
    ),
    each(
      "field: Subscription object",
      "is_announcement_only desktop_notifications email_notifications",
    ),
    each(
      "field: Subscription object",
      "wildcard_mentions_notify push_notifications audible_notifications",
    ),
    [
      "event: subscription",
      "event field: subscription subscriptions",
      "limit: partial subscriber list",
    ],
  ),
  shows(
    "channels/subscription-properties.test.ts",
    "Each is stored, and told to one's own clients alone",
    `endpoint: ${properties}`,
    each(
      `parameter: ${properties}`,
      "subscription_data stream_id property value color is_muted pin_to_top",
    ),
    each(
      `parameter: ${properties}`,
      "desktop_notifications audible_notifications push_notifications",
    ),
    each(`parameter: ${properties}`, "email_notifications wildcard_mentions_notify"),
    "event tie: the bulk subscription update produces subscription update events (two for is_muted/in_home_view)",
  ),
  shows(
    "channels/subscription-properties.test.ts",
    "One setting is changed by PATCH and by POST, in_home_view is the reverse of is_muted",
    `parameter: ${properties} in_home_view`,
  ),
  shows(
    "channels/channels-posting.test.ts",
    "A channel follows the organization unless it has a policy of its own",
    each("state: topics_policy", "inherit allow_empty_topic disable_empty_topic"),
  ),
  shows(
    "channels/channels-posting.test.ts",
    "In a channel without topics everything is in the empty one",
    "state: topics_policy empty_topic_only",
  ),
  shows(
    "channels/channels-posting.test.ts",
    "Who may not begin topics answers in those that are there",
    "version: 441",
  ),
  shows(
    "channels/topics.test.ts",
    "Topics come newest first, each under its newest spelling, also to members who are not subscribed",
    "concept: channels (the API also calls them",
  ),
  shows(
    "channels/channels-create.test.ts",
    "has a name and its first people, and else what is usual; who may know it hears of it",
    `endpoint: ${create}`,
    each(`parameter: ${create}`, "name subscribers"),
    ["event: stream", "version: 417"],
  ),
  shows(
    "channels/channels-create.test.ts",
    "has all that is asked for",
    each(
      `parameter: ${create}`,
      "description is_default_stream folder_id can_add_subscribers_group",
    ),
    each(`parameter: ${create}`, "can_delete_any_message_group can_delete_own_message_group"),
    each(`parameter: ${create}`, "can_remove_subscribers_group can_administer_channel_group"),
    each(
      `parameter: ${create}`,
      "can_move_messages_out_of_channel_group can_move_messages_within_channel_group",
    ),
  ),
  shows(
    "channels/channel-permissions.test.ts",
    "%s",
    each(
      `parameter: ${create}`,
      "can_add_subscribers_group can_create_topic_group can_delete_any_message_group",
    ),
    each(`parameter: ${create}`, "can_delete_own_message_group can_remove_subscribers_group"),
    each(
      `parameter: ${create}`,
      "can_administer_channel_group can_move_messages_out_of_channel_group",
    ),
    each(`parameter: ${create}`, "can_move_messages_within_channel_group"),
    "version: 405-389",
  ),
  shows(
    "channels/channels-create.test.ts",
    "keeps messages for days, for ever, or as the organization does",
    `parameter: ${create} message_retention_days`,
  ),
  shows(
    "channels/channels-create.test.ts",
    "has the topics policy %s",
    `parameter: ${create} topics_policy`,
    each("state: topics_policy", "inherit allow_empty_topic disable_empty_topic empty_topic_only"),
    "version: 405-389",
  ),
  shows(
    "channels/channels-create.test.ts",
    "that is private shows newcomers what was before them only if it is to",
    each(
      `parameter: ${create}`,
      "invite_only history_public_to_subscribers can_create_topic_group",
    ),
  ),
  shows(
    "channels/channels-create.test.ts",
    "is announced where that is wanted and the organization has a channel for it",
    `parameter: ${create} announce`,
  ),
  shows(
    "channels/subscription-events.test.ts",
    "Events bring the lists of subscribers to all but those who declined them, under the name that they asked for",
    each("field: Subscription object", "subscribers partial_subscribers"),
  ),
  shows(
    "channels/web-public-channels.test.ts",
    "is made by who may, and guests hear of it and read in it without being there",
    `parameter: ${create} is_web_public`,
  ),
  shows(
    "channels/web-public-channels.test.ts",
    "is made by nobody else, nor where it is private, guarded or switched off",
    `parameter: ${create} is_web_public`,
  ),
  shows(
    "mail/channel-email.test.ts",
    "A channel has an address for each sender, which leads to the channel and to the sender",
    `endpoint: ${email}`,
    each(`parameter: ${email}`, "stream_id sender_id"),
    `answer: ${email} email`,
  ),
  shows(
    "mail/channel-email.test.ts",
    "A2, A17: who may not post in a channel learns no address of it, and nothing of a hidden one",
    "error: BAD_REQUEST: invalid channel ID for channel email",
  ),
];
