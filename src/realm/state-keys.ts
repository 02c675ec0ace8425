import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import { nullable, word } from "../core/params";
import type { GroupPermission } from "../core/rights/group-setting";
import { systemGroupNames } from "../protocol/system-groups";
import { realmSettings } from "./settings";
import { shownSettings } from "./shown-settings";

/** The values of declared keys. */
export type ValuesOf<Keys extends TProperties> = Static<TObject<Keys>>;

const flag = Type.Boolean();
const integer = Type.Integer();
const text = Type.String();

/** Choices by their names, with their integers. */
const choices = Type.Record(text, Type.Object({ name: text, id: integer }));

export const pacingKeys = {
  event_queue_longpoll_timeout_seconds: integer,
  server_presence_ping_interval_seconds: integer,
  server_presence_offline_threshold_seconds: integer,
  server_typing_started_expiry_period_milliseconds: integer,
  server_typing_started_wait_period_milliseconds: integer,
  server_typing_stopped_wait_period_milliseconds: integer,
  realm_empty_topic_display_name: text,
};

export const notOfferedKeys = {
  development_environment: flag,
  password_min_guesses: integer,
  realm_presence_disabled: flag,
  realm_push_notifications_enabled_end_timestamp: nullable(integer),
  server_avatar_changes_disabled: flag,
  server_can_summarize_topics: flag,
  server_inline_url_embed_preview: flag,
  server_name_changes_disabled: flag,
  server_needs_upgrade: flag,
  upgrade_text_for_wide_organization_logo: text,
};

export const serverFactKeys = {
  server_inline_image_preview: flag,
  server_thumbnail_formats: Type.Array(
    Type.Object({
      name: text,
      max_width: integer,
      max_height: integer,
      format: text,
      animated: flag,
    }),
  ),
  ...pacingKeys,
  ...notOfferedKeys,
  gif_rating_policy_options: choices,
  realm_authentication_methods: Type.Record(text, Type.Object({ enabled: flag, available: flag })),
  realm_default_external_accounts: Type.Record(
    text,
    Type.Object({
      name: text,
      text,
      hint: text,
      url_pattern: Type.String({
        description: "Address of an account, with `%(username)s` for the user name.",
      }),
    }),
  ),
  realm_email_auth_enabled: flag,
  realm_password_auth_enabled: flag,
  realm_owner_full_content_access: flag,
  realm_plan_type: integer,
  zulip_plan_is_not_limited: flag,
  server_report_message_types: Type.Array(Type.Object({ key: text, name: text })),
};

export const configKeys = {
  max_avatar_file_size_mib: integer,
  max_file_upload_size_mib: integer,
  realm_push_notifications_enabled: flag,
  realm_upload_quota_mib: nullable(integer),
  max_icon_file_size_mib: integer,
  max_logo_file_size_mib: integer,
  server_jitsi_server_url: nullable(text),
  realm_available_video_chat_providers: choices,
  settings_send_digest_emails: flag,
  server_max_deactivated_realm_deletion_days: nullable(integer),
  server_min_deactivated_realm_deletion_days: integer,
  server_web_public_streams_enabled: flag,
};

export const limitKeys = {
  max_bulk_new_subscription_messages: integer,
  max_channel_folder_description_length: integer,
  max_channel_folder_name_length: integer,
  max_message_length: integer,
  max_reminder_note_length: integer,
  max_stream_description_length: integer,
  max_stream_name_length: integer,
  max_topic_length: integer,
  password_max_length: integer,
  password_min_length: integer,
};

export const legacyKeys = {
  jitsi_server_url: text,
  realm_allow_edit_history: flag,
  realm_create_private_stream_policy: integer,
  realm_create_public_stream_policy: integer,
  realm_create_web_public_stream_policy: integer,
  realm_mandatory_topics: flag,
  realm_uri: text,
  realm_wildcard_mention_policy: integer,
};

const source = Type.String({
  description: "`U` for an uploaded picture, another letter for a default one.",
});

export const pictureKeys = {
  realm_icon_url: text,
  realm_icon_source: source,
  realm_logo_url: text,
  realm_logo_source: source,
  realm_night_logo_url: text,
  realm_night_logo_source: source,
  realm_default_avatar_source: word("G", "J"),
};

const groupName = word(...systemGroupNames);

const permissionObject = Type.Object({
  require_system_group: flag,
  allow_internet_group: flag,
  allow_nobody_group: flag,
  allow_everyone_group: flag,
  default_group_name: word(...systemGroupNames, "channel_creator", "group_creator"),
  default_for_system_groups: nullable(groupName),
  allowed_system_groups: Type.Array(groupName, {
    description: "If not empty, only these system groups are allowed.",
  }),
});

const permissions = Type.Unsafe<Record<string, GroupPermission>>(
  Type.Record(text, permissionObject),
);

export const permissionKeys = {
  server_supported_permission_settings: Type.Object({
    realm: permissions,
    stream: permissions,
    group: permissions,
  }),
};

/** The keys of the fetch event type `realm`: `realm_<name>` of every setting among them. */
export const realmKeys: TProperties = {
  ...serverFactKeys,
  ...configKeys,
  ...limitKeys,
  ...shownSettings(realmSettings, "realm_"),
  ...legacyKeys,
  ...pictureKeys,
  ...permissionKeys,
  realm_bot_domain: text,
  realm_date_created: integer,
  realm_name: text,
  realm_url: text,
  realm_uuid: text,
  server_emoji_data_url: text,
  server_generation: Type.Integer({
    description: "UNIX time in seconds of the server's start.",
  }),
};
