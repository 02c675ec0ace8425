import { channelKey } from "../../channels/queries";
import {
  canonicalGroupSetting,
  isStoredGroupSetting,
  resolveGroupSetting,
} from "../../core/group-setting";
import { parseUserDefaults } from "../../people/settings/defaults";
import { newRealmRow } from "../../realm/new-realm";
import {
  isRealmSettingName,
  parseRealmSettings,
  type RealmSettingName,
  realmSettings,
  validateRealmSetting,
} from "../../realm/settings";
import { settingPath } from "./declared-realm";
import { planPermissions } from "./plan-permissions";
import type { Planning } from "./planning";
import type { Stored } from "./stored";

/** The first change of all. */
export function planNewRealm({ declaration: { realm }, stored, changes }: Planning) {
  if (!stored.realm) changes.push({ kind: "addRealm", realm });
}

/** The settings that are different. */
export function planRealm({ declaration: { realm }, stored, changes, problems }: Planning) {
  const row = stored.realm ?? { ...newRealmRow(), name: realm.name };
  const current: Record<string, unknown> = parseRealmSettings(row.settings);
  const values: Record<string, unknown> = realm.name === row.name ? {} : { name: realm.name };
  for (const [name, wanted] of Object.entries(realm.settings)) {
    const message = validateRealmSetting(name, wanted, stored.systemGroupIds);
    if (message !== undefined) problems.push({ path: settingPath(name), message });
    else if (!isSameSetting(name, wanted, current[name], stored)) values[name] = wanted;
  }
  if (Object.keys(values).length > 0) changes.push({ kind: "changeRealm", values });
  const defaults: Record<string, unknown> = parseUserDefaults(row);
  const other = Object.entries(realm.userDefaults).filter(
    ([name, wanted]) => wanted !== defaults[name],
  );
  if (other.length > 0)
    changes.push({ kind: "changeUserDefaults", values: Object.fromEntries(other) });
}

/** Groups are compared by what they mean: the name of a system group is its id. */
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

/** The settings that name people, groups and channels: they come last. */
export function planNamesInRealm(planning: Planning) {
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
  changes.push({ kind: "nameInRealm", permissions, channels: new Map(named) });
}

/**
 * Whether a setting names another channel now; a problem where that one is not there or archived.
 */
function isOtherChannel(
  { declaration, stored, problems }: Planning,
  setting: string,
  name: string,
  values: Record<string, unknown>,
): boolean {
  const known = stored.channels.find(({ nameKey }) => nameKey === channelKey(name));
  if (known && !known.isArchived) return values[setting] !== known.id;
  if (declaration.channels.some((channel) => channelKey(channel.name) === channelKey(name)))
    return true;
  const message = known
    ? `the channel '${name}' is archived.`
    : `there is no channel '${name}', here or in the organization.`;
  problems.push({ path: settingPath(setting), message });
  return false;
}
