import { isTimeZone } from "../core/language";
import {
  type GroupPermission,
  groupPermission,
  groupSettingRefusal,
  parseStoredSettings,
  type StoredGroupSetting,
  type SystemGroupIds,
} from "../core/rights/group-setting";
import { spellingHint } from "../core/text/spelling-hint";
import { lengthsMax } from "../protocol/limits";

/** Rule for the values of a setting. `unlimited` is the stored value for the wire's "unlimited". */
export type SettingRule =
  | { type: "boolean"; default: boolean | null; nullable?: true }
  | {
      type: "integer";
      default: number | null;
      min: number;
      max: number;
      nullable?: true;
      unlimited?: number | null;
    }
  | {
      type: "string";
      default: string | null;
      lengthMin: number;
      lengthMax: number;
      nullable?: true;
      form?: TextForm;
    }
  | {
      type: "choice";
      default: string | number;
      values: readonly (string | number)[];
      nullable?: true;
    }
  | { type: "group"; default: StoredGroupSetting; permission: GroupPermission; nullable?: true };

type TextForm = "url" | "timezone";

type PlainValue<Rule> = Rule extends { type: "choice"; values: readonly (infer Value)[] }
  ? Value
  : Rule extends { type: "boolean" }
    ? boolean
    : Rule extends { type: "integer" }
      ? number
      : Rule extends { type: "string" }
        ? string
        : StoredGroupSetting;

type ValueOf<Rule> = Rule extends { nullable: true } ? PlainValue<Rule> | null : PlainValue<Rule>;

/** The values that a table of rules describes. */
export type SettingValues<Table> = { -readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/** The largest whole number that fits a 32-bit column and every client's integer. */
export const integerMax = 2 ** 31 - 1;

export const flag = (initial: boolean) => ({ type: "boolean", default: initial }) as const;

export const choice = <const Value extends string | number>(
  initial: NoInfer<Value>,
  values: readonly Value[],
) => ({ type: "choice", default: initial, values }) as const;

export const wholeNumber = (initial: number, min: number, max = integerMax) =>
  ({ type: "integer", default: initial, min, max }) as const;

export const text = (initial: string, lengthMax: number, lengthMin = 0) =>
  ({ type: "string", default: initial, lengthMin, lengthMax }) as const;

/** Time limit in seconds; null is no limit. */
const timeLimit = (seconds: number) =>
  ({
    type: "integer",
    default: seconds,
    min: 1,
    max: integerMax,
    nullable: true,
    unlimited: null,
  }) as const;

/** The id of a channel that the server writes to; -1 is no channel. */
const channelId = wholeNumber(-1, -1);

function group(short: Parameters<typeof groupPermission>[0] & { default: StoredGroupSetting }) {
  return { type: "group", default: short.default, permission: groupPermission(short) } as const;
}

/**
 * Languages that a user may choose, by code, each with its own name. Clients have the translations.
 */
// biome-ignore format: one language a line would be four times as long
export const languages = {
  ar: "العربيّة", bg: "Български", ca: "català", cs: "česky", cy: "Cymraeg", da: "dansk", de: "Deutsch", en: "English",
  "en-gb": "English (United Kingdom)", es: "español", fa: "فارسی", fi: "suomi", fr: "français", gl: "galego",
  gu: "Gujarati", hi: "Hindi", hu: "Magyar", id: "Bahasa Indonesia", it: "italiano", ja: "日本語", ko: "한국어",
  lt: "Lietuviškai", ml: "മലയാളം", mn: "Mongolian", nl: "Nederlands", pl: "polski", pt: "Português",
  "pt-br": "Português (Brasil)", ro: "Română", ru: "Русский", si: "Sinhala", sr: "српски", sv: "svenska", ta: "தமிழ்",
  tr: "Türkçe", uk: "Українська", vi: "Tiếng Việt", "zh-hans": "简体中文", "zh-hant": "繁體中文",
};

export const languageCodes = Object.keys(languages);

/**
 * Every setting of a realm that can be changed. `realms.settings` stores values that differ from
 * the default. Names are those of the protocol; `register` shows each as `realm_<name>`. Further
 * initial data of a realm is in `new-realm.ts`.
 */
export const realmSettings = {
  allow_message_editing: flag(true),
  avatar_changes_disabled: flag(false),
  default_avatar_source: choice("G", ["G", "J"]),
  default_code_block_language: text("", 80),
  default_language: choice("en", languageCodes),
  description: text("", lengthsMax.realmDescription),
  digest_emails_enabled: flag(false),
  digest_weekday: wholeNumber(1, 0, 6),
  disallow_disposable_email_addresses: flag(true),
  email_changes_disabled: flag(false),
  emails_restricted_to_domains: flag(false),
  enable_guest_user_dm_warning: flag(true),
  enable_guest_user_indicator: flag(true),
  // The protocol's default is false, but new organizations that require an invitation, as ours do,
  // start with true.
  enable_read_receipts: flag(true),
  enable_spectator_access: flag(false),
  gif_rating_policy: choice(2, [0, 1, 2, 3, 4, 5]),
  inline_image_preview: flag(true),
  inline_url_embed_preview: flag(false),
  invite_required: flag(true),
  jitsi_server_url: {
    type: "string",
    default: null,
    lengthMin: 1,
    lengthMax: 200,
    nullable: true,
    form: "url",
  },
  media_preview_size: choice(100, [100, 150, 200]),
  message_content_allowed_in_email_notifications: flag(true),
  message_content_delete_limit_seconds: timeLimit(600),
  message_content_edit_limit_seconds: timeLimit(600),
  message_edit_history_visibility_policy: choice("all", ["all", "moves", "none"]),
  message_retention_days: { type: "integer", default: -1, min: -1, max: integerMax, unlimited: -1 },
  moderation_request_channel_id: channelId,
  move_messages_between_streams_limit_seconds: timeLimit(604800),
  move_messages_within_stream_limit_seconds: timeLimit(604800),
  name_changes_disabled: flag(false),
  new_stream_announcements_stream_id: channelId,
  org_type: choice(0, [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000]),
  require_e2ee_push_notifications: flag(false),
  require_unique_names: flag(false),
  // Channels have always announced their own changes, so older organizations keep that
  // (new-realm.ts).
  send_channel_events_messages: flag(true),
  send_welcome_emails: flag(true),
  signup_announcements_stream_id: channelId,
  topics_policy: choice("allow_empty_topic", ["allow_empty_topic", "disable_empty_topic"]),
  // None (0), Jitsi (1), and BigBlueButton (4) on a server that has one.
  video_chat_provider: choice(1, [0, 1, 4]),
  waiting_period_threshold: wholeNumber(0, 0),
  want_advertise_in_communities_directory: flag(false),
  welcome_message_custom_text: text("", 8000),
  zulip_update_announcements_stream_id: channelId,

  can_access_all_users_group: group({
    default: "role:everyone",
    nobody: false,
    everyone: true,
    systemOnly: true,
    only: ["role:everyone", "role:members"],
  }),
  can_add_custom_emoji_group: group({ default: "role:members" }),
  can_add_subscribers_group: group({ default: "role:members" }),
  can_create_bots_group: group({ default: "role:members" }),
  can_create_groups: group({ default: "role:members" }),
  can_create_private_channel_group: group({ default: "role:members" }),
  can_create_public_channel_group: group({ default: "role:members" }),
  can_create_web_public_channel_group: group({
    default: "role:owners",
    systemOnly: true,
    only: ["role:moderators", "role:administrators", "role:owners", "role:nobody"],
  }),
  can_create_write_only_bots_group: group({ default: "role:members" }),
  can_delete_any_message_group: group({ default: "role:administrators" }),
  can_delete_own_message_group: group({ default: "role:everyone", everyone: true }),
  can_invite_users_group: group({ default: "role:members" }),
  can_manage_all_groups: group({ default: "role:owners", nobody: false }),
  can_manage_billing_group: group({ default: "role:administrators", nobody: false }),
  can_mention_many_users_group: group({ default: "role:administrators", everyone: true }),
  can_move_messages_between_channels_group: group({ default: "role:members" }),
  can_move_messages_between_topics_group: group({ default: "role:everyone", everyone: true }),
  can_resolve_topics_group: group({ default: "role:everyone", everyone: true }),
  can_set_delete_message_policy_group: group({ default: "role:moderators" }),
  can_set_topics_policy_group: group({ default: "role:members", everyone: true }),
  can_summarize_topics_group: group({ default: "role:everyone", everyone: true }),
  create_multiuse_invite_group: group({ default: "role:administrators" }),
  direct_message_initiator_group: group({ default: "role:everyone", everyone: true }),
  direct_message_permission_group: group({ default: "role:everyone", everyone: true }),
  // Not defined by the protocol: until the organization chooses a group, everybody with an account
  // counts.
  workplace_users_group: group({ default: "role:everyone", everyone: true }),
} as const satisfies Record<string, SettingRule>;

export type RealmSettings = SettingValues<typeof realmSettings>;

export type RealmSettingName = keyof RealmSettings;

/** The settings of a realm that contain a group: its permissions. */
export type RealmGroupSettingName = {
  [Name in RealmSettingName]: (typeof realmSettings)[Name] extends { type: "group" } ? Name : never;
}[RealmSettingName];

/** Settings that are changed like the others but have a column of their own. */
export const realmColumns = { name: text("", lengthsMax.realmName, 1) } as const;

export const isRealmSettingName = (name: string): name is RealmSettingName =>
  Object.hasOwn(realmSettings, name);

function textRefusal(name: string, rule: Extract<SettingRule, { type: "string" }>, value: unknown) {
  const length = typeof value === "string" ? [...value].length : -1;
  if (length < rule.lengthMin || length > rule.lengthMax) {
    return `${name} must be text of ${rule.lengthMin} to ${rule.lengthMax} characters.`;
  }
  if (rule.form === "url" && !(URL.canParse(`${value}`) && /^https?:/i.test(`${value}`))) {
    return `${name} must be an address that begins with https:// or http://.`;
  }
  if (rule.form === "timezone" && value !== "" && !isNamedZone(`${value}`)) {
    return `${name} must be an IANA time zone, for example Europe/Berlin, or empty.`;
  }
  return undefined;
}

/** Whether this is the name of a time zone, because clients know no offsets such as `+02:00`. */
const isNamedZone = (zone: string) => /^[A-Za-z]/.test(zone) && isTimeZone(zone);

function integerRefusal(
  name: string,
  rule: Extract<SettingRule, { type: "integer" }>,
  value: unknown,
) {
  const isInRange =
    Number.isInteger(value) && Number(value) >= rule.min && Number(value) <= rule.max;
  // Where -1 is "unlimited", 0 would mean that nothing is kept.
  if (isInRange && !(rule.unlimited === -1 && value === 0)) return undefined;
  const from = rule.unlimited === -1 ? 1 : rule.min;
  return `${name} must be a whole number from ${from} to ${rule.max}${rule.unlimited === undefined ? "" : ", or 'unlimited'"}.`;
}

/**
 * Reason why a setting may not have this value, as a sentence that says which values are allowed;
 * undefined when it may.
 */
export function settingRefusal(
  name: string,
  rule: SettingRule,
  value: unknown,
  systemGroupIds?: SystemGroupIds,
): string | undefined {
  if (value === null && rule.nullable) return undefined;
  switch (rule.type) {
    case "boolean":
      return typeof value === "boolean" ? undefined : `${name} must be true or false.`;
    case "integer":
      return integerRefusal(name, rule, value);
    case "string":
      return textRefusal(name, rule, value);
    case "choice":
      return rule.values.some((one) => one === value)
        ? undefined
        : `${name} must be one of ${rule.values.join(", ")}.`;
    case "group":
      return groupSettingRefusal(name, rule.permission, value, systemGroupIds);
  }
}

const fits = <Table extends Record<string, SettingRule>>(
  table: Table,
  values: Record<string, unknown>,
): values is Record<string, unknown> & SettingValues<Table> =>
  Object.entries(table).every(
    ([name, rule]) => settingRefusal(name, rule, values[name]) === undefined,
  );

/**
 * Number of settings texts that are cached parsed, of each kind: many people have never changed
 * theirs, and realms are few.
 */
const parsedMax = 256;

/**
 * A cached parser of a table's settings; nobody may change its results. `complete` gives values
 * that are not stored a default that depends on others.
 */
export function settingsParser<Table extends Record<string, SettingRule>>(
  table: Table,
  complete: (values: SettingValues<Table>, isStored: (name: string) => boolean) => void = () =>
    undefined,
) {
  const parsed = new Map<string, ReturnType<typeof parseSettings<Table>>>();
  return (json: string) => {
    const cached = parsed.get(json);
    if (cached) return cached;
    const stored = parseStoredSettings(json);
    const values = parseSettings(table, stored);
    complete(values, (name) => name in stored);
    Object.freeze(values);
    if (parsed.size >= parsedMax) parsed.clear();
    parsed.set(json, values);
    return values;
  };
}

/**
 * All values of a table: its defaults, then the stored differences (JSON). A stored value that its
 * rule does not allow, which another version of the program may have left, is ignored, because a
 * realm must stay reachable.
 */
function parseSettings<Table extends Record<string, SettingRule>>(
  table: Table,
  stored: Record<string, unknown>,
) {
  const values: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(table)) {
    const isStored = name in stored && settingRefusal(name, rule, stored[name]) === undefined;
    values[name] = isStored ? stored[name] : rule.default;
  }
  if (!fits(table, values)) throw new Error("The default of a setting breaks its own rule.");
  return values;
}

/**
 * The settings of a realm from `realms.settings`. Group settings that were never changed are names
 * of system groups.
 */
export const parseRealmSettings: (json: string) => Readonly<RealmSettings> =
  settingsParser(realmSettings);

/**
 * Reason why a realm's setting (or its name) may not have this value, for the person who changes
 * it; undefined when it may. Groups are checked fully only with `systemGroupIds`. The caller checks
 * whether a channel, user or group exists.
 */
export function validateRealmSetting(
  name: string,
  value: unknown,
  systemGroupIds?: SystemGroupIds,
): string | undefined {
  if (name === "name") return settingRefusal(name, realmColumns.name, value);
  if (!isRealmSettingName(name))
    return `There is no setting '${name}' of an organization.${spellingHint(name, Object.keys(realmSettings))}`;
  return settingRefusal(name, realmSettings[name], value, systemGroupIds);
}

/**
 * The stored form of a value: "unlimited" becomes its number, "default" removes a realm's own Jitsi
 * server.
 */
export function realmSettingFromWire(name: RealmSettingName, value: unknown): unknown {
  const rule: SettingRule = realmSettings[name];
  if (rule.type === "integer" && rule.unlimited !== undefined && value === "unlimited")
    return rule.unlimited;
  return name === "jitsi_server_url" && value === "default" ? null : value;
}
