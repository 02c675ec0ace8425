import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  channelCreatorSettings,
  channelGroupSettings,
  resolveChannelGroupSettings,
} from "../../src/channels/group-settings";
import { loadConfig } from "../../src/config/config";
import { canonicalGroupSetting } from "../../src/core/rights/group-setting";
import { emptyStates } from "../../src/events/empty-state";
import { realmState } from "../../src/management/organization/state";
import {
  parseUserSettings,
  userSettings,
  userSettingsDefaultsState,
  userSettingsState,
  validateUserSetting,
} from "../../src/people/settings/user-settings";
import {
  resolveUserGroupSettings,
  userGroupCreatorSettings,
  userGroupSettings,
} from "../../src/people/user-groups/group-settings";
import { systemGroupNames } from "../../src/protocol/system-groups";
import {
  parseRealmSettings,
  realmSettingFromWire,
  realmSettings,
  type SettingRule,
  settingRefusal,
  validateRealmSetting,
} from "../../src/realm/settings";

const level = 481;
const systemGroupIds = Object.fromEntries(
  systemGroupNames.map((name, index) => [name, 11 + index]),
);
const idOf = (name: (typeof systemGroupNames)[number]) => systemGroupIds[name] ?? 0;

function stateWith(settings = "{}") {
  return realmState({
    realm: {
      id: 2,
      name: "Acme",
      uuid: "7ad1b0a4-5d0c-4a2b-9a53-0f6d3f1f4f10",
      host: "chat.example.com",
      createdAt: 1_700_000_000,
      iconFile: null,
      logoFile: null,
      nightLogoFile: null,
      settings: parseRealmSettings(settings),
    },
    systemGroupIds,
    url: "https://chat.example.com",
    serverGeneration: 1_700_000_100,
    config: loadConfig({}, undefined, {}),
  });
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
const asList = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(asRecord) : [];

const catalogPath = join(import.meta.dir, "../recorded/api/register.json");
const catalog = asRecord(JSON.parse(readFileSync(catalogPath, "utf8")));

const isLive = (row: Record<string, unknown>) =>
  Number(row.lv ?? 0) <= level && Number(row.rm ?? level + 1) > level && row.only_if === undefined;
const liveKeys = asList(catalog.keys).filter(isLive);
const keysOf = (fetchEventType: string) =>
  liveKeys.filter(
    (row) => Array.isArray(row.fetch_event_types) && row.fetch_event_types.includes(fetchEventType),
  );
const names = (rows: Record<string, unknown>[], key: string) =>
  rows.map((row) => String(row[key])).sort();

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Whether the value has the type, and one of the values, that the row of the catalog names. */
function hasTypeOf(row: Record<string, unknown>, value: unknown): boolean {
  const schema = asRecord(row.schema);
  const type = typeName(value);
  if (schema.$ref === "GroupSettingValue") return type === "integer" || type === "object";
  if (type === "null") return schema.nullable === true;
  if (type !== schema.type && !(type === "integer" && schema.type === "number")) return false;
  const allowed = schema.enum ?? schema.vals;
  return !Array.isArray(allowed) || allowed.includes(value);
}

const wrongTypes = (rows: Record<string, unknown>[], state: Record<string, unknown>) =>
  rows.filter((row) => !hasTypeOf(row, state[String(row.key)])).map((row) => row.key);

describe("every setting", () => {
  test("of a realm has a default that its own rule allows", () => {
    for (const [name, rule] of Object.entries<SettingRule>(realmSettings)) {
      expect(settingRefusal(name, rule, rule.default, systemGroupIds)).toBeUndefined();
    }
  });

  test("of a user has a default that its own rule allows", () => {
    for (const [name, rule] of Object.entries<SettingRule>(userSettings)) {
      expect(settingRefusal(name, rule, rule.default)).toBeUndefined();
    }
  });

  test("that is stored wins over its default, and one that breaks its rule does not", () => {
    const settings = parseRealmSettings('{"digest_weekday":3,"org_type":"school","forgotten":1}');
    expect(settings).toMatchObject({ digest_weekday: 3, org_type: 0 });
    expect(settings).not.toHaveProperty("forgotten");
    expect(parseUserSettings('{"twenty_four_hour_time":null}').twenty_four_hour_time).toBeNull();
  });
});

describe("a refused value is answered with what is allowed", () => {
  test.each([
    ["digest_weekday", 10, "digest_weekday must be a whole number from 0 to 6."],
    [
      "waiting_period_threshold",
      -1,
      "waiting_period_threshold must be a whole number from 0 to 2147483647.",
    ],
    ["invite_required", "yes", "invite_required must be true or false."],
    ["name", "n".repeat(41), "name must be text of 1 to 40 characters."],
    ["video_chat_provider", 99, "video_chat_provider must be one of 0, 1, 4."],
    [
      "message_retention_days",
      0,
      "message_retention_days must be a whole number from 1 to 2147483647, or 'unlimited'.",
    ],
    [
      "jitsi_server_url",
      "javascript:x",
      "jitsi_server_url must be an address that begins with https:// or http://.",
    ],
    ["__proto__", 1, "There is no setting '__proto__' of an organization."],
  ])("realm: %s = %p", (name, value, sentence) => {
    expect(validateRealmSetting(name, value)).toBe(sentence);
  });

  test("unknown languages, emoji sets, sounds and time zones", () => {
    expect(validateRealmSetting("default_language", "xx-none")).toStartWith(
      "default_language must be one of ar, ",
    );
    expect(validateUserSetting("emojiset", "bogus")).toBe(
      "emojiset must be one of google, google-blob, twitter, text.",
    );
    expect(validateUserSetting("notification_sound", "bogus")).toStartWith(
      "notification_sound must be one of none,",
    );
    expect(validateUserSetting("timezone", "Mars/Olympus")).toContain("IANA time zone");
    expect(validateUserSetting("timezone", "Europe/Berlin")).toBeUndefined();
    expect(validateUserSetting("bogus", true)).toBe("There is no setting 'bogus' of a user.");
  });

  test("groups that the setting does not allow, also inside an anonymous group", () => {
    const refusal = (value: unknown) =>
      validateRealmSetting("can_create_groups", value, systemGroupIds);
    expect(refusal(idOf("role:internet"))).toStartWith(
      "can_create_groups cannot be role:internet.",
    );
    expect(refusal({ direct_members: [5], direct_subgroups: [idOf("role:everyone")] })).toContain(
      "role:everyone",
    );
    expect(refusal({ direct_members: ["5"], direct_subgroups: [] })).toContain("'direct_members'");
    expect(refusal(idOf("role:moderators"))).toBeUndefined();
    expect(refusal({ direct_members: [5], direct_subgroups: [900] })).toBeUndefined();
    const systemOnly = (value: unknown) =>
      validateRealmSetting("can_access_all_users_group", value, systemGroupIds);
    expect(systemOnly(900)).toBe(
      "can_access_all_users_group must be one of role:everyone, role:members.",
    );
    expect(systemOnly(idOf("role:moderators"))).toContain("cannot be role:moderators");
  });

  test("'unlimited' is stored as what stands for it", () => {
    expect(realmSettingFromWire("message_retention_days", "unlimited")).toBe(-1);
    expect(realmSettingFromWire("message_content_edit_limit_seconds", "unlimited")).toBeNull();
    expect(realmSettingFromWire("description", "unlimited")).toBe("unlimited");
  });
});

describe("a group setting", () => {
  test("has one form for one meaning", () => {
    expect(canonicalGroupSetting({ direct_members: [], direct_subgroups: [14, 14] })).toBe(14);
    expect(canonicalGroupSetting({ direct_members: [3, 1, 3], direct_subgroups: [14] })).toEqual({
      direct_members: [1, 3],
      direct_subgroups: [14],
    });
  });

  test("of a channel or group is nobody's where the creator is gone, and the creator's where stored", () => {
    const nobody = idOf("role:nobody");
    expect(resolveChannelGroupSettings("{}", systemGroupIds).can_administer_channel_group).toBe(
      nobody,
    );
    const channel = resolveChannelGroupSettings(
      JSON.stringify(channelCreatorSettings(7)),
      systemGroupIds,
    );
    expect(channel.can_administer_channel_group).toEqual({
      direct_members: [7],
      direct_subgroups: [],
    });
    expect(channel.can_send_message_group).toBe(idOf("role:everyone"));
    expect(Object.keys(channel)).toEqual(Object.keys(channelGroupSettings));
    const group = resolveUserGroupSettings(
      JSON.stringify(userGroupCreatorSettings(7)),
      systemGroupIds,
      false,
    );
    expect(group.can_manage_group).toEqual({ direct_members: [7], direct_subgroups: [] });
    expect(group.can_leave_group).toBe(idOf("role:everyone"));
    const system = resolveUserGroupSettings("{}", systemGroupIds, true);
    expect(Object.values(system)).toEqual(Object.keys(userGroupSettings).map(() => nobody));
  });

  test("is also told to older clients as one of the integers that they know", () => {
    for (const name of systemGroupNames) {
      const state = stateWith(JSON.stringify({ can_mention_many_users_group: name }));
      expect([1, 2, 3, 5, 6, 7]).toContain(Number(state.realm_wildcard_mention_policy));
    }
    const anonymous = {
      can_mention_many_users_group: { direct_members: [5], direct_subgroups: [900] },
    };
    expect(stateWith(JSON.stringify(anonymous))).toMatchObject({
      realm_can_mention_many_users_group: anonymous.can_mention_many_users_group,
      realm_wildcard_mention_policy: 1,
    });
  });
});

describe("against the protocol", () => {
  /** Defaults of ours that are not the catalog's; the reason stands at the setting. */
  const ownDefaults = ["enable_read_receipts"];
  /**
   * Neither is stored with the settings: the name is a column, the others cannot be set at this
   * level.
   */
  const notStored = ["name", "mandatory_topics", "push_notifications_enabled", "timezone"];

  function comparedRows(list: unknown, table: Record<string, SettingRule>) {
    const rows = asList(list).filter((row) => isLive(row) && !notStored.includes(String(row.name)));
    return rows.map((row) => ({ row, rule: table[String(row.name)] }));
  }

  test.each([
    [
      "realm",
      [...asList(catalog.realm_settings), ...asList(catalog.realm_settings_after_372)],
      realmSettings,
    ],
    ["user", catalog.user_settings, userSettings],
  ])("every %s setting is in the table, with the protocol's default", (_, list, table) => {
    const rows = comparedRows(list, table);
    expect(rows.filter(({ rule }) => rule === undefined).map(({ row }) => row.name)).toEqual([]);
    const told = rows.filter(
      ({ row }) => (row.default ?? null) !== null && !ownDefaults.includes(String(row.name)),
    );
    expect(told.map(({ row, rule }) => [row.name, rule?.default])).toEqual(
      told.map(({ row }) => [row.name, row.default]),
    );
  });

  test("every permission of a realm allows the same groups", () => {
    const state = asRecord(asRecord(stateWith().server_supported_permission_settings).realm);
    for (const row of asList(catalog.realm_permission_settings)) {
      const { name, ...permission } = row;
      expect(state[String(name)]).toMatchObject(permission);
    }
  });

  test("realmState has every live key of 'realm' with its type, and nothing else", () => {
    const state = stateWith();
    expect(Object.keys(state).sort()).toEqual(names(keysOf("realm"), "key"));
    expect(wrongTypes(keysOf("realm"), state)).toEqual([]);
  });

  test("every empty state has the live keys of its fetch event type with their types, and nothing else", () => {
    for (const [fetchEventType, emptyState] of Object.entries(emptyStates)) {
      const state = emptyState();
      expect([fetchEventType, ...Object.keys(state).sort()]).toEqual([
        fetchEventType,
        ...names(keysOf(fetchEventType), "key"),
      ]);
      expect(wrongTypes(keysOf(fetchEventType), asRecord(state))).toEqual([]);
    }
  });

  test("the settings of a user and a realm's defaults for them have every live property", () => {
    const propertiesOf = (key: string) => {
      const [row] = liveKeys.filter((one) => one.key === key);
      const properties = Object.entries(asRecord(asRecord(row?.schema).properties));
      return properties.filter(([, schema]) => isLive(asRecord(schema))).map(([name]) => name);
    };
    const { text } = userSettingsState(parseUserSettings("{}"), "");
    const shown = asRecord(JSON.parse(`{${text}}`).user_settings);
    const defaults = userSettingsDefaultsState(
      parseUserSettings("{}"),
    ).realm_user_settings_defaults;
    expect(Object.keys(shown).sort()).toEqual(propertiesOf("user_settings").sort());
    expect(Object.keys(defaults).sort()).toEqual(
      propertiesOf("realm_user_settings_defaults").sort(),
    );
  });

  test("every fetch event type that brings something at this level has an owner", () => {
    const features = [
      ..."default_stream_groups default_streams message realm realm_bot realm_user realm_user_groups realm_user_settings_defaults".split(
        " ",
      ),
      ..."recent_private_conversations starred_messages stream subscription update_message_flags".split(
        " ",
      ),
      ..."alert_words muted_topics user_settings user_topic presence user_status muted_users".split(
        " ",
      ),
      ..."drafts saved_snippets scheduled_messages reminders realm_emoji realm_linkifiers realm_filters".split(
        " ",
      ),
      ..."realm_domains realm_playgrounds custom_profile_fields channel_folders".split(" "),
      ..."navigation_views onboarding_steps realm_embedded_bots device".split(" "),
      ...Object.keys(emptyStates),
    ];
    const types = liveKeys.flatMap((row) =>
      Array.isArray(row.fetch_event_types) ? row.fetch_event_types : [],
    );
    expect([...new Set(types)].filter((type) => !features.includes(type))).toEqual([]);
  });
});
