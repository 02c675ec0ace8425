import { channelGroupSettings } from "../../channels/group-settings";
import type { Config } from "../../config/config";
import type { RealmRow } from "../../core/context";
import { JsonMembers, jsonMemory } from "../../core/json/raw-json";
import {
  type GroupSettingValue,
  isStoredGroupSetting,
  resolveGroupSetting,
  type StoredGroupSetting,
  type SystemGroupIds,
} from "../../core/rights/group-setting";
import type { StateLoader } from "../../core/state";
import { reportMessageTypes } from "../../messages/reports/report-types";
import { userGroupSettings } from "../../people/user-groups/group-settings";
import { avatarSources } from "../../people/users/avatar";
import { systemGroupIds as readSystemGroupIds } from "../../people/users/system-group-membership";
import { lengthsMax, passwordLengthMin, subscribersToldMax } from "../../protocol/limits";
import { type SystemGroupName, systemGroupNames } from "../../protocol/system-groups";
import { emptyTopicDisplayName } from "../../protocol/topics";
import { realmAssets, realmPicture } from "../../realm/assets";
import { authenticationMethods } from "../../realm/authentication-methods";
import { loadRealm } from "../../realm/queries";
import { parseRealmSettings, type RealmSettings, realmSettings } from "../../realm/settings";
import {
  type configKeys,
  type legacyKeys,
  type limitKeys,
  type notOfferedKeys,
  type pacingKeys,
  type permissionKeys,
  type pictureKeys,
  realmKeys,
  type serverFactKeys,
  type ValuesOf,
} from "../../realm/state-keys";
import { videoChatProviders } from "../../realm/video-chat";
import { thumbnailFormats } from "../../uploads/thumbnail-formats";
import { externalAccounts } from "../profile-fields/external-accounts";

/** Intervals for clients, and the displayed name of the empty topic. */
const clientPacing: ValuesOf<typeof pacingKeys> = {
  event_queue_longpoll_timeout_seconds: 90,
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  realm_empty_topic_display_name: emptyTopicDisplayName,
};

/**
 * Features of the protocol that this server does not offer. Remove the lines of a feature when it
 * is built.
 */
const notOffered: ValuesOf<typeof notOfferedKeys> = {
  development_environment: false,
  // Guesses are not estimated: a password is checked by its length only.
  password_min_guesses: 0,
  realm_presence_disabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  server_avatar_changes_disabled: false,
  server_can_summarize_topics: false,
  server_inline_url_embed_preview: false,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  upgrade_text_for_wide_organization_logo: "",
};

/** Facts that are equal for every realm of this server. */
const serverFacts: ValuesOf<typeof serverFactKeys> = {
  server_inline_image_preview: true,
  server_thumbnail_formats: [...thumbnailFormats],
  ...clientPacing,
  ...notOffered,
  gif_rating_policy_options: {
    disabled: { name: "No GIFs", id: 0 },
    y: { name: "Rated Y: for very young viewers", id: 1 },
    g: { name: "Rated G: for all", id: 2 },
    pg: { name: "Rated PG: with parental guidance", id: 3 },
    "pg-13": { name: "Rated PG-13: from 13 years", id: 4 },
    r: { name: "Rated R: for adults", id: 5 },
  },
  realm_authentication_methods: authenticationMethods,
  realm_default_external_accounts: externalAccounts,
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  // Owners may read no more than others; only the operator can read the database.
  realm_owner_full_content_access: false,
  // 1 is a self-hosted server, without paid plans.
  realm_plan_type: 1,
  zulip_plan_is_not_limited: true,
  server_report_message_types: reportMessageTypes,
};

const realmPermissions = Object.fromEntries(
  Object.entries(realmSettings).flatMap(([name, rule]) =>
    rule.type === "group" ? [[name, rule.permission]] : [],
  ),
);

/** Groups that each permission may contain, by the place where it is set. */
const permissionFacts: ValuesOf<typeof permissionKeys> = {
  server_supported_permission_settings: {
    realm: realmPermissions,
    stream: channelGroupSettings,
    group: userGroupSettings,
  },
};

interface RealmStateInput {
  realm: Pick<RealmRow, "name" | "uuid" | "host" | "createdAt"> &
    Parameters<typeof realmPicture>[0] & { settings: RealmSettings };
  systemGroupIds: SystemGroupIds;
  /** The realm's address without a slash at the end: `https://chat.example.com`. */
  url: string;
  /** UNIX time in seconds of this process's start. */
  serverGeneration: number;
  /** Options of the operator that clients get. */
  config: Pick<
    Config,
    | "bigBlueButtonSecret"
    | "bigBlueButtonUrl"
    | "gravatarEnabled"
    | "jitsiServerUrl"
    | "smtpRelayHost"
    | "maxAvatarFileSizeMib"
    | "maxDeactivatedRealmDeletionDays"
    | "maxFileUploadSizeMib"
    | "maxIconFileSizeMib"
    | "maxLogoFileSizeMib"
    | "minDeactivatedRealmDeletionDays"
    | "pushRelayUrl"
    | "uploadQuotaMib"
    | "webPublicStreamsEnabled"
  >;
}

const configState = (config: RealmStateInput["config"]): ValuesOf<typeof configKeys> => ({
  max_avatar_file_size_mib: config.maxAvatarFileSizeMib,
  max_file_upload_size_mib: config.maxFileUploadSizeMib,
  realm_push_notifications_enabled: config.pushRelayUrl !== undefined,
  realm_upload_quota_mib: config.uploadQuotaMib || null,
  max_icon_file_size_mib: config.maxIconFileSizeMib,
  max_logo_file_size_mib: config.maxLogoFileSizeMib,
  server_jitsi_server_url: config.jitsiServerUrl ?? null,
  realm_available_video_chat_providers: videoChatProviders(config),
  settings_send_digest_emails: config.smtpRelayHost !== undefined,
  server_max_deactivated_realm_deletion_days: config.maxDeactivatedRealmDeletionDays ?? null,
  server_min_deactivated_realm_deletion_days: config.minDeactivatedRealmDeletionDays,
  server_web_public_streams_enabled: config.webPublicStreamsEnabled,
});

function limitsState(): ValuesOf<typeof limitKeys> {
  return {
    max_bulk_new_subscription_messages: subscribersToldMax,
    max_channel_folder_description_length: lengthsMax.channelFolderDescription,
    max_channel_folder_name_length: lengthsMax.channelFolderName,
    max_message_length: lengthsMax.message,
    max_reminder_note_length: lengthsMax.reminderNote,
    max_stream_description_length: lengthsMax.channelDescription,
    max_stream_name_length: lengthsMax.channelName,
    max_topic_length: lengthsMax.topic,
    password_max_length: lengthsMax.password,
    password_min_length: passwordLengthMin,
  };
}

/** `realm_<name>` of every setting; names of system groups become ids. */
function settingsState(
  settings: RealmSettings,
  systemGroupIds: SystemGroupIds,
): Record<string, unknown> {
  const entries = Object.entries(settings).map(([name, value]) => {
    const isGroup = Object.hasOwn(realmPermissions, name);
    return [
      `realm_${name}`,
      isGroup && isStoredGroupSetting(value) ? resolveGroupSetting(value, systemGroupIds) : value,
    ];
  });
  return Object.fromEntries(entries);
}

type Policy = Partial<Record<SystemGroupName, number>> & { otherwise: number };

const channelCreationPolicy: Policy = {
  "role:members": 1,
  "role:fullmembers": 3,
  "role:moderators": 4,
  "role:administrators": 2,
  "role:owners": 2,
  "role:nobody": 2,
  otherwise: 1,
};

const webPublicCreationPolicy: Policy = {
  "role:moderators": 4,
  "role:administrators": 2,
  "role:nobody": 6,
  otherwise: 7,
};

const wildcardMentionPolicy: Policy = {
  "role:members": 2,
  "role:fullmembers": 3,
  "role:moderators": 7,
  "role:administrators": 5,
  "role:owners": 5,
  "role:nobody": 6,
  otherwise: 1,
};

/**
 * The integer that older clients read instead of a group. A group without one gets the widest of
 * its kind: the client offers the action and the server decides.
 */
function policyOf(
  policy: Policy,
  stored: StoredGroupSetting,
  systemGroupIds: SystemGroupIds,
): number {
  const value: GroupSettingValue = resolveGroupSetting(stored, systemGroupIds);
  const name = systemGroupNames.find((group) => systemGroupIds[group] === value);
  return (name && policy[name]) ?? policy.otherwise;
}

/** Members for older clients that newer settings have replaced. */
function legacyState({
  realm: { settings },
  systemGroupIds,
  url,
  config,
}: RealmStateInput): ValuesOf<typeof legacyKeys> {
  const policy = (table: Policy, stored: StoredGroupSetting) =>
    policyOf(table, stored, systemGroupIds);
  return {
    jitsi_server_url: settings.jitsi_server_url ?? config.jitsiServerUrl ?? "",
    realm_allow_edit_history: settings.message_edit_history_visibility_policy !== "none",
    realm_create_private_stream_policy: policy(
      channelCreationPolicy,
      settings.can_create_private_channel_group,
    ),
    realm_create_public_stream_policy: policy(
      channelCreationPolicy,
      settings.can_create_public_channel_group,
    ),
    realm_create_web_public_stream_policy: policy(
      webPublicCreationPolicy,
      settings.can_create_web_public_channel_group,
    ),
    realm_mandatory_topics: settings.topics_policy === "disable_empty_topic",
    realm_uri: url,
    realm_wildcard_mention_policy: policy(
      wildcardMentionPolicy,
      settings.can_mention_many_users_group,
    ),
  };
}

/** Addresses of the organization's pictures, and the source of default avatars. */
function picturesState({ realm, config }: RealmStateInput): ValuesOf<typeof pictureKeys> {
  const icon = realmPicture(realm, "icon");
  const logo = realmPicture(realm, "logo");
  const nightLogo = realmPicture(realm, "night_logo");
  const { default_avatar_source } = realm.settings;
  return {
    realm_icon_url: icon.url,
    realm_icon_source: icon.source,
    realm_logo_url: logo.url,
    realm_logo_source: logo.source,
    realm_night_logo_url: nightLogo.url,
    realm_night_logo_source: nightLogo.source,
    realm_default_avatar_source: config.gravatarEnabled
      ? default_avatar_source
      : avatarSources.generated,
  };
}

/**
 * Members that `register` answers for the fetch event type `realm`: the organization, its settings,
 * and facts and limits of this server. They are equal for all users of the realm.
 */
export function realmState(input: RealmStateInput): Record<string, unknown> {
  const { realm, systemGroupIds, url, serverGeneration, config } = input;
  return {
    ...serverFacts,
    ...configState(config),
    ...limitsState(),
    ...settingsState(realm.settings, systemGroupIds),
    ...legacyState(input),
    ...picturesState(input),
    realm_bot_domain: realm.host,
    realm_date_created: realm.createdAt,
    realm_name: realm.name,
    realm_url: url,
    realm_uuid: realm.uuid,
    server_emoji_data_url: realmAssets(url).emojiData,
    server_generation: serverGeneration,
    ...permissionFacts,
  };
}

/** Cached per realm, because all clients that use one address share the text. */
const texts = jsonMemory<RealmRow>();

/** The keys of the fetch event type `realm`. */
const realmLoader = {
  fetchTypes: ["realm"],
  keys: realmKeys,
  async load({ app, realm: { id }, url }, reader) {
    const realm = await loadRealm(reader, id);
    const systemGroupIds = await readSystemGroupIds(reader, id);
    const { text } = texts(realm, url, () =>
      realmState({
        realm: { ...realm, settings: parseRealmSettings(realm.settings) },
        systemGroupIds,
        url,
        serverGeneration: app.startedAt,
        config: app.config,
      }),
    );
    return new JsonMembers(text.slice(1, -1));
  },
} satisfies StateLoader;

export const realmStates = [realmLoader] satisfies StateLoader[];
