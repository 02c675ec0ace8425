import { channelKey } from "../../../channels/queries";
import {
  canonicalGroupSetting,
  isStoredGroupSetting,
  isSystemGroupName,
  resolveGroupSetting,
} from "../../../core/rights/group-setting";
import { spellingHint } from "../../../core/text/spelling-hint";
import { updateRealmSettingsIn } from "../../../management/organization/change-settings";
import {
  parseUserDefaults,
  updateUserSettingsDefaultsIn,
  userDefaultRefusal,
} from "../../../people/settings/defaults";
import { renewContext } from "../../../people/users/renew-context";
import { namesChannel } from "../../../realm/channel-settings";
import { newRealmRow } from "../../../realm/new-realm";
import {
  isRealmSettingName,
  parseRealmSettings,
  type RealmSettingName,
  realmSettingFromWire,
  realmSettings,
  validateRealmSetting,
} from "../../../realm/settings";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import { type Dumping, dumpHolders, present } from "../dumping";
import { isMapping, type Node } from "../file/decode";
import type { Path } from "../file/problems";
import {
  type DeclaredHolders,
  type DeclaredPermissions,
  describePermissions,
  permissionValues,
  planPermissions,
  readHolders,
} from "../permissions";
import type { Planning } from "../planning";
import type { Stored } from "../stored";
import { channelNamed, type Work } from "../work";

export interface DeclaredSettings {
  /** Settings by the protocol's names, without the prefix `realm_`, with values as on the wire. */
  settings: Record<string, unknown>;
  /** Permissions. They name groups and people, which exist only after the rest of the plan. */
  permissions: DeclaredPermissions<RealmSettingName>;
  /**
   * Settings that name a channel, which exists only after the rest of the plan: the channel's name
   * by the name of the setting.
   */
  channels: ReadonlyMap<string, string>;
}

/** The organization's name and settings, and the defaults of new users, which `realm` reads. */
export const settings: Declarable = {
  plan: planSettings,
  dump: (dumping) => ({ realm: dumpSettings(dumping) }),
};

/** The settings that name people, groups and channels, which `realm` reads too. */
export const namingSettings: Declarable = { plan: planNamingSettings };

export const noSettings: DeclaredSettings = {
  settings: {},
  permissions: new Map(),
  channels: new Map(),
};

/** The place of a setting in the file. */
const settingPath = (name: string): Path => ["realm", "settings", name];

/** Reads `realm: {settings: …}`; mistakes become problems with their place. */
export function readSettings({ fields, problems }: Node): DeclaredSettings {
  const path = ["realm", "settings"];
  const given = fields.settings ?? {};
  if (!isMapping(given)) {
    problems.push({
      path,
      message: "settings must be a mapping from names of settings to values.",
    });
    return noSettings;
  }
  const node = { path, fields: given, problems };
  const plain: Record<string, unknown> = {};
  const permissions = new Map<RealmSettingName, DeclaredHolders>();
  const channels = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    const name = key.replace(/^realm_/, "");
    if (!isRealmSettingName(name)) {
      const hint = spellingHint(key, Object.keys(realmSettings));
      const message = `unknown key '${key}' in settings: an organization has no such setting.${hint}`;
      problems.push({ path: [...path, key], message });
      continue;
    }
    const rule = realmSettings[name];
    if (namesChannel(name) && typeof value === "string") channels.set(name, value.trim());
    else if (rule.type === "group" && (Array.isArray(value) || isNameOfHolder(value))) {
      permissions.set(name, readHolders(node, key, rule.permission) ?? []);
    } else plain[name] = readPlain(node, key, name);
  }
  return { settings: plain, permissions, channels };
}

const isNameOfHolder = (value: unknown) => typeof value === "string" && !isSystemGroupName(value);

function readPlain({ path, fields, problems }: Node, key: string, name: RealmSettingName): unknown {
  const wanted = realmSettingFromWire(name, fields[key]);
  const message = validateRealmSetting(name, wanted);
  if (message !== undefined) problems.push({ path: [...path, key], message });
  return wanted;
}

/** Reads `realm: {user_defaults: …}`; mistakes become problems with their place. */
export function readUserDefaults({ fields, problems }: Node): Record<string, unknown> {
  const path = ["realm", "user_defaults"];
  const given = fields.user_defaults ?? {};
  if (!isMapping(given)) {
    problems.push({
      path,
      message: "user_defaults must be a mapping from names of settings to values.",
    });
    return {};
  }
  for (const [name, value] of Object.entries(given)) {
    const message = userDefaultRefusal(name, value);
    if (message !== undefined) problems.push({ path: [...path, name], message });
  }
  return given;
}

function planSettings({ declaration: { realm }, stored, changes, problems }: Planning) {
  const row = stored.realm ?? { ...newRealmRow(), name: realm.name };
  const current: Record<string, unknown> = parseRealmSettings(row.settings);
  const values: Record<string, unknown> = realm.name === row.name ? {} : { name: realm.name };
  for (const [name, wanted] of Object.entries(realm.settings)) {
    const message = validateRealmSetting(name, wanted, stored.systemGroupIds);
    if (message !== undefined) problems.push({ path: settingPath(name), message });
    else if (!isSameSetting(name, wanted, current[name], stored)) values[name] = wanted;
  }
  if (Object.keys(values).length > 0) changes.push(changeSettings(values));
  const defaults: Record<string, unknown> = parseUserDefaults(row);
  const other = Object.entries(realm.userDefaults).filter(
    ([name, wanted]) => wanted !== defaults[name],
  );
  if (other.length > 0) changes.push(changeUserDefaults(Object.fromEntries(other)));
}

/**
 * Whether two values of a setting are equal. Groups are compared by meaning: the name of a system
 * group equals its id.
 */
function isSameSetting(
  name: string,
  one: unknown,
  other: unknown,
  { realm, systemGroupIds }: Stored,
): boolean {
  const isGroup =
    realm !== undefined && isRealmSettingName(name) && realmSettings[name].type === "group";
  const meaning = (value: unknown) =>
    isGroup && isStoredGroupSetting(value)
      ? canonicalGroupSetting(resolveGroupSetting(value, systemGroupIds))
      : value;
  return Bun.deepEquals(meaning(one), meaning(other));
}

function planNamingSettings(planning: Planning) {
  const { declaration, stored, changes } = planning;
  const { permissions: declared, channels } = declaration.realm;
  const values = parseRealmSettings((stored.realm ?? newRealmRow()).settings);
  const current = (name: RealmSettingName) => {
    const value = values[name];
    return isStoredGroupSetting(value) ? value : "role:nobody";
  };
  const permissions = planPermissions(planning, ["realm", "settings"], declared, current);
  const named = [...channels].filter(([setting, name]) =>
    isOtherChannel(planning, setting, name, values),
  );
  if (permissions.size + named.length === 0) return;
  changes.push(changeNamingSettings(permissions, new Map(named)));
}

/**
 * Whether a setting names another channel than before; adds a problem if the channel is missing or
 * archived.
 */
function isOtherChannel(
  { declaration, stored, problems }: Planning,
  setting: string,
  name: string,
  values: Record<string, unknown>,
): boolean {
  const storedChannel = stored.channels.find(({ nameKey }) => nameKey === channelKey(name));
  if (storedChannel && !storedChannel.isArchived) return values[setting] !== storedChannel.id;
  if (declaration.channels.some((channel) => channelKey(channel.name) === channelKey(name)))
    return true;
  const message = storedChannel
    ? `the channel '${name}' is archived.`
    : `there is no channel '${name}', here or in the organization.`;
  problems.push({ path: settingPath(setting), message });
  return false;
}

const changeSettings = (values: Record<string, unknown>): Change => ({
  lines: Object.entries(values).map(
    ([name, value]) => `~ organization: ${name} ${JSON.stringify(value)}`,
  ),
  path: pathOfSettings(Object.keys(values)),
  carryOut: (work) => storeSettings(work, values),
});

const changeUserDefaults = (values: Record<string, unknown>): Change => ({
  lines: Object.entries(values).map(
    ([name, value]) => `~ new users: ${name} ${JSON.stringify(value)}`,
  ),
  path: ["realm", "user_defaults"],
  carryOut: ({ tx, ctx }) => updateUserSettingsDefaultsIn(tx, ctx, values),
});

const changeNamingSettings = (
  permissions: DeclaredPermissions<RealmSettingName>,
  channels: ReadonlyMap<string, string>,
): Change => ({
  lines: [
    ...describePermissions("organization", permissions),
    ...[...channels].map(([name, channel]) => `~ organization: ${name} ${channel}`),
  ],
  path: pathOfSettings([...permissions.keys(), ...channels.keys()]),
  carryOut: (work) =>
    storeSettings(work, {
      ...Object.fromEntries(permissionValues(work, permissions)),
      ...Object.fromEntries(
        [...channels].map(([setting, name]) => [setting, channelNamed(work, name).id]),
      ),
    }),
});

/**
 * The place of the only setting that changes. Where several change, the message of the refusal
 * names the wrong one.
 */
const pathOfSettings = ([only, ...others]: readonly string[]): Path =>
  only !== undefined && others.length === 0 ? settingPath(only) : ["realm", "settings"];

/** Stores settings, and updates the context, because later changes use the new settings. */
async function storeSettings(work: Work, values: Record<string, unknown>): Promise<void> {
  const { tx, ctx } = work;
  await updateRealmSettingsIn(tx, ctx, values);
  work.ctx = { ...(await renewContext(tx, ctx)), reader: tx };
}

/** Settings that differ from those of a new organization. */
function dumpSettings(dumping: Dumping) {
  const { realm } = dumping;
  const initial: Record<string, unknown> = parseRealmSettings(newRealmRow().settings);
  const current: Record<string, unknown> = parseRealmSettings(realm.settings);
  const changed = Object.keys(realmSettings)
    .filter(isRealmSettingName)
    .filter((name) => !Bun.deepEquals(current[name], initial[name]))
    .map((name) => [name, dumpSetting(dumping, name, current[name])]);
  const initialDefaults: Record<string, unknown> = parseUserDefaults(newRealmRow());
  const defaults = Object.entries(parseUserDefaults(realm)).filter(
    ([name, value]) =>
      value !== initialDefaults[name] && userDefaultRefusal(name, value) === undefined,
  );
  return present({
    settings: present(Object.fromEntries(changed)),
    user_defaults: Object.fromEntries(defaults),
  });
}

/** A setting as the file has it; undefined for one that names a missing channel. */
function dumpSetting(dumping: Dumping, name: RealmSettingName, value: unknown): unknown {
  const rule = realmSettings[name];
  if (rule.type === "group" && isStoredGroupSetting(value))
    return dumpHolders(dumping, name, rule.permission, value);
  if (!namesChannel(name)) return value;
  const channel = dumping.stored.channels.find(({ id }) => id === value);
  return channel && !channel.isArchived ? channel.name : undefined;
}
