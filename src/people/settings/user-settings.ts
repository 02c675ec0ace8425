import { daySeconds } from "../../core/clock";
import { JsonMembers, jsonMemory, membersJson } from "../../core/json/raw-json";
import {
  choice,
  flag,
  languageCodes,
  type SettingRule,
  type SettingValues,
  settingRefusal,
  settingsParser,
  wholeNumber,
} from "../../realm/settings";

/** Names of notification sounds in clients. */
const notificationSounds = ["chime", "ding", "zulip"];

/** Keys of emoji images in clients. */
const emojisetChoices = [
  { key: "google", text: "Google" },
  { key: "google-blob", text: "Google blobs" },
  { key: "twitter", text: "Twitter" },
  { key: "text", text: "Plain text" },
];

const weekSeconds = 7 * daySeconds;

/**
 * Every setting of a user, by its name in the protocol; `users.settings` has those that differ from
 * the default. `realm_user_settings_defaults` has these settings, too.
 */
export const userSettings = {
  allow_private_data_export: flag(false),
  automatically_follow_topics_policy: choice(3, [1, 2, 3, 4]),
  automatically_follow_topics_where_mentioned: flag(true),
  automatically_unmute_topics_in_muted_streams_policy: choice(2, [1, 2, 3, 4]),
  color_scheme: choice(1, [1, 2, 3]),
  default_language: choice("en", languageCodes),
  demote_inactive_streams: choice(1, [1, 2, 3]),
  desktop_icon_count_display: choice(1, [1, 2, 3, 4]),
  display_emoji_reaction_users: flag(true),
  email_address_visibility: choice(1, [1, 2, 3, 4, 5]),
  email_notifications_batching_period_seconds: wholeNumber(120, 1, weekSeconds),
  emojiset: choice("google", ["google", "google-blob", "twitter", "text"]),
  enable_desktop_notifications: flag(true),
  enable_digest_emails: flag(true),
  enable_drafts_synchronization: flag(true),
  enable_followed_topic_audible_notifications: flag(true),
  enable_followed_topic_desktop_notifications: flag(true),
  enable_followed_topic_email_notifications: flag(true),
  enable_followed_topic_push_notifications: flag(true),
  enable_followed_topic_wildcard_mentions_notify: flag(true),
  enable_login_emails: flag(true),
  enable_marketing_emails: flag(true),
  enable_offline_email_notifications: flag(true),
  enable_offline_push_notifications: flag(true),
  enable_online_push_notifications: flag(true),
  enable_sounds: flag(true),
  enable_stream_audible_notifications: flag(false),
  enable_stream_desktop_notifications: flag(false),
  enable_stream_email_notifications: flag(false),
  enable_stream_push_notifications: flag(false),
  enter_sends: flag(false),
  fluid_layout_width: flag(false),
  hide_ai_features: flag(false),
  high_contrast_mode: flag(false),
  left_side_userlist: flag(false),
  message_content_in_email_notifications: flag(true),
  notification_sound: choice("zulip", ["none", "chime", "ding", "zulip"]),
  pm_content_in_desktop_notifications: flag(true),
  presence_enabled: flag(true),
  realm_name_in_email_notifications_policy: choice(1, [1, 2, 3]),
  receives_typing_notifications: flag(true),
  // The protocol does not define this default. A notice about a resolved topic need not be read,
  // unless one follows the topic.
  resolved_topic_notice_auto_read_policy: choice("except_followed", [
    "always",
    "except_followed",
    "never",
  ]),
  send_private_typing_notifications: flag(true),
  send_read_receipts: flag(true),
  send_stream_typing_notifications: flag(true),
  starred_message_counts: flag(true),
  translate_emoticons: flag(false),
  // Null leaves the choice to the client's locale. Until one is made, hours are counted as in the
  // language: `countsHoursTo24`.
  twenty_four_hour_time: { type: "boolean", default: false, nullable: true },
  user_list_style: choice(3, [1, 2, 3]),
  web_animate_image_previews: choice("on_hover", ["always", "on_hover", "never"]),
  web_channel_default_view: choice(1, [1, 2, 3, 4]),
  web_escape_navigates_to_home_view: flag(true),
  web_font_size_px: wholeNumber(16, 8, 48),
  web_home_view: choice("inbox", ["recent", "inbox", "all_messages"]),
  // The protocol does not define the next three defaults: people who have folders see them and
  // their counts.
  web_inbox_show_channel_folders: flag(true),
  web_left_sidebar_show_channel_folders: flag(true),
  web_left_sidebar_unreads_count_summary: flag(true),
  web_line_height_percent: wholeNumber(140, 100, 300),
  web_mark_read_on_scroll_policy: choice(1, [1, 2, 3]),
  web_navigate_to_sent_message: flag(true),
  web_stream_unreads_count_display_policy: choice(2, [1, 2, 3]),
  web_suggest_update_timezone: flag(true),
  wildcard_mentions_notify: flag(true),
} as const satisfies Record<string, SettingRule>;

export type UserSettings = SettingValues<typeof userSettings>;

/** Rule for the values of a setting. */
export type UserRule = (typeof userSettings)[UserSettingName];

type UserSettingName = keyof UserSettings;

/** Settings that are changed like the others but have a column of their own. */
const userColumns = {
  timezone: { type: "string", default: "", lengthMin: 0, lengthMax: 40, form: "timezone" },
} as const satisfies Record<string, SettingRule>;

export const isUserSettingName = (name: string): name is UserSettingName =>
  Object.hasOwn(userSettings, name);

/** The settings of a user from `users.settings`. */
export const parseUserSettings: (json: string) => Readonly<UserSettings> = settingsParser(
  userSettings,
  (values, isStored) => {
    if (!isStored(ofLanguage)) values[ofLanguage] = countsHoursTo24(values.default_language);
  },
);

/** The setting whose default depends on the language, so that each choice of it is stored. */
export const ofLanguage = "twenty_four_hour_time";

declare global {
  namespace Intl {
    interface Locale {
      /** Hour cycles of the language, as `h12` or `h23`, the usual one first. */
      getHourCycles(): readonly string[];
    }
  }
}

const countedTo24 = new Map<string, boolean>();

/** Whether people of a language count hours to 24, as Germans do. */
function countsHoursTo24(language: string): boolean {
  const cached = countedTo24.get(language);
  if (cached !== undefined) return cached;
  // A format would tell it too, but making the first one costs a start ten milliseconds.
  const [cycle = ""] = new Intl.Locale(language).getHourCycles();
  const to24 = cycle.startsWith("h2");
  countedTo24.set(language, to24);
  return to24;
}

/**
 * Reason why a user's setting (or time zone) may not have this value, for the person who changes
 * it; undefined when it may.
 */
export function validateUserSetting(name: string, value: unknown): string | undefined {
  if (name === "timezone") return settingRefusal(name, userColumns.timezone, value);
  if (!isUserSettingName(name)) return `There is no setting '${name}' of a user.`;
  return settingRefusal(name, userSettings[name], value);
}

const choices = {
  available_notification_sounds: notificationSounds,
  emojiset_choices: emojisetChoices,
};

/** People with equal settings, such as the initial ones, share a text. */
const settingsTexts = jsonMemory<Readonly<UserSettings>>();
const choicesText = membersJson(choices);

/** Members of `user_settings` in `register`. */
export function userSettingsState(settings: Readonly<UserSettings>, timezone: string): JsonMembers {
  const { text } = settingsTexts(settings, "", () => settings);
  const ofTimezone = `"timezone":${JSON.stringify(timezone)}`;
  return new JsonMembers(`"user_settings":${text.slice(0, -1)},${ofTimezone},${choicesText}}`);
}

/**
 * Members of `realm_user_settings_defaults` in `register`: the initial settings of a new user of
 * the realm.
 */
export const userSettingsDefaultsState = (settings: UserSettings) => ({
  realm_user_settings_defaults: { ...settings, ...choices },
});

/**
 * Members in `register` for `update_display_settings`, an event type that the protocol has dropped:
 * zulip-term 0.7.0 from PyPI does not start without it.
 */
export const legacyDisplaySettingsState = (settings: UserSettings) => ({
  twenty_four_hour_time: settings.twenty_four_hour_time ?? false,
});

/** Members in `register` for `update_global_notifications`, which the protocol has dropped too. */
export const legacyNotificationSettingsState = (settings: UserSettings) => ({
  pm_content_in_desktop_notifications: settings.pm_content_in_desktop_notifications,
});
