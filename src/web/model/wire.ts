import type { AnswerTo, ArrivingEvent } from "../../api-types";
import type { GroupSettingValue } from "../../core/rights/group-setting";
import type { UserSettings as StoredUserSettings } from "../../people/settings/user-settings";
import type { RealmSettings, realmSettings } from "../../realm/settings";
import type {
  configKeys,
  limitKeys,
  pacingKeys,
  permissionKeys,
  pictureKeys,
  serverFactKeys,
  ValuesOf,
} from "../../realm/state-keys";

/** An event of the queue, as the server declares it. */
export type Event = ArrivingEvent;
export type EventType = Event["type"];
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;

/**
 * Event types for which the page requests the state. `stream` is not among them, because it repeats
 * what `subscription` tells.
 */
export const fetchEventTypes = [
  "alert_words",
  "channel_folders",
  "custom_profile_fields",
  "default_streams",
  "drafts",
  "message",
  "muted_users",
  "navigation_views",
  "onboarding_steps",
  "presence",
  "realm",
  "realm_emoji",
  "realm_playgrounds",
  "realm_user",
  "realm_user_groups",
  "recent_private_conversations",
  "reminders",
  "saved_snippets",
  "scheduled_messages",
  "starred_messages",
  "subscription",
  "update_message_flags",
  "user_settings",
  "user_status",
  "user_topic",
] as const;

/** The capabilities that the page declares in `register`. */
export const clientCapabilities = {
  archived_channels: true,
  bulk_message_deletion: true,
  empty_topic_name: true,
  include_deactivated_groups: true,
  linkifier_url_template: true,
  notification_settings_null: true,
  simplified_presence_events: true,
  stream_typing_notifications: true,
  user_avatar_url_field_optional: true,
  user_list_incomplete: true,
  user_settings_object: true,
} as const;

type Told = Required<AnswerTo<"POST", "/register">>;

/** Settings of the organization, under the names that events and `PATCH /realm` use. */
type OrganizationSettings = {
  [Name in keyof RealmSettings]: (typeof realmSettings)[Name] extends { type: "group" }
    ? GroupSettingValue
    : RealmSettings[Name];
};

type WithPrefix<Prefix extends string, Values> = {
  [Name in keyof Values & string as `${Prefix}${Name}`]: Values[Name];
};

/** Members of the state that describe the organization and the server. */
type RealmFacts = ValuesOf<
  typeof serverFactKeys &
    typeof configKeys &
    typeof limitKeys &
    typeof pacingKeys &
    typeof permissionKeys &
    typeof pictureKeys
> &
  WithPrefix<"realm_", OrganizationSettings> & {
    realm_name: string;
    realm_url: string;
    realm_uuid: string;
    realm_bot_domain: string;
    realm_date_created: number;
  };

/** The part of `register`'s answer from which the model is made. */
export type Register = Readonly<
  Pick<
    Told,
    | "user_id"
    | "realm_users"
    | "realm_non_active_users"
    | "cross_realm_bots"
    | "realm_user_groups"
    | "subscriptions"
    | "unsubscribed"
    | "never_subscribed"
    | "channel_folders"
    | "realm_default_streams"
    | "user_topics"
    | "unread_msgs"
    | "starred_messages"
    | "recent_private_conversations"
    | "muted_users"
    | "alert_words"
    | "drafts"
    | "saved_snippets"
    | "scheduled_messages"
    | "reminders"
    | "presences"
    | "presence_last_update_id"
    | "server_timestamp"
    | "user_status"
    | "realm_emoji"
    | "realm_playgrounds"
    | "custom_profile_fields"
    | "navigation_views"
    | "onboarding_steps"
  > &
    RealmFacts & { user_settings: UserSettings }
>;

/** The organization's facts, without the prefix that their names have in `register`. */
export type Organization = {
  readonly [Name in keyof RealmFacts as Name extends `realm_${infer Short}`
    ? Short
    : never]: RealmFacts[Name];
};

/** Facts about the server: its features and limits. They are valid until the next `register`. */
export type ServerFacts = {
  readonly [Name in keyof RealmFacts as Name extends `${"server_" | "max_" | "settings_"}${string}`
    ? Name
    : never]: RealmFacts[Name];
};

/** The settings of the signed-in person. */
export type UserSettings = Readonly<
  StoredUserSettings & {
    timezone: string;
    available_notification_sounds: readonly string[];
    emojiset_choices: readonly { key: string; text: string }[];
  }
>;

export type { GroupSettingValue };

type One<List> = List extends readonly (infer Row)[] ? Readonly<Row> : never;

export type User = One<Register["realm_users"]> & { readonly is_system_bot?: true };
export type WireGroup = One<Register["realm_user_groups"]>;
export type WireSubscription = One<Register["subscriptions"]>;
export type WireNeverSubscribed = One<Register["never_subscribed"]>;
export type ChannelFolder = One<Register["channel_folders"]>;
export type UserTopic = One<Register["user_topics"]>;
export type Draft = One<Register["drafts"]>;
export type Snippet = One<Register["saved_snippets"]>;
export type ScheduledMessage = One<Register["scheduled_messages"]>;
export type Reminder = One<Register["reminders"]>;
export type RealmEmoji = Readonly<Register["realm_emoji"][string]>;
export type Playground = One<Register["realm_playgrounds"]>;
export type ProfileField = One<Register["custom_profile_fields"]>;
export type NavigationView = One<Register["navigation_views"]>;
export type Status = Readonly<Register["user_status"][string]>;

/** A message as events contain it. */
export type Message = EventOf<"message">["message"];
