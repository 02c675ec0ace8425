import { type Static, Type } from "@sinclair/typebox";
import { type SystemGroupName, systemGroupNames } from "../../protocol/system-groups";
import { badRequest } from "../errors";
import { isRecord } from "../json/record";

/** Titles of system groups, as people read them. */
export const systemGroupTitles: Readonly<Record<SystemGroupName, string>> = {
  "role:internet": "Everyone on the internet",
  "role:everyone": "Everyone",
  "role:members": "Members",
  "role:fullmembers": "Full members",
  "role:moderators": "Moderators",
  "role:administrators": "Administrators",
  "role:owners": "Owners",
  "role:nobody": "Nobody",
};

/** The ids of a realm's system groups by name (`role:members`, …). */
export type SystemGroupIds = Readonly<Record<string, number>>;

/**
 * Holders of a permission: a group's id, or an anonymous group of users and groups
 * (`docs/protocol/specification.md`, Group-setting value).
 */
export const groupSettingValue = Type.Union([
  Type.Integer(),
  Type.Object({
    direct_members: Type.Array(Type.Integer()),
    direct_subgroups: Type.Array(Type.Integer()),
  }),
]);

export type GroupSettingValue = Static<typeof groupSettingValue>;

/**
 * Stored form of a group setting. A default is the name of a system group, because ids differ
 * between realms.
 */
export type StoredGroupSetting = GroupSettingValue | SystemGroupName;

/**
 * Rules for the groups that a setting may hold, in the form of
 * `server_supported_permission_settings`.
 */
export interface GroupPermission {
  require_system_group: boolean;
  allow_internet_group: boolean;
  allow_nobody_group: boolean;
  allow_everyone_group: boolean;
  default_group_name: SystemGroupName | "channel_creator" | "group_creator";
  /**
   * The value that system groups themselves have; null where the setting is not one of user groups.
   */
  default_for_system_groups: SystemGroupName | null;
  /** When not empty, no system group but these. */
  allowed_system_groups: readonly SystemGroupName[];
}

/**
 * A group permission in short: by default nobody is allowed and everyone is not, and the internet
 * is never allowed.
 */
export function groupPermission(short: {
  default: GroupPermission["default_group_name"];
  nobody?: boolean;
  everyone?: boolean;
  systemOnly?: boolean;
  only?: readonly SystemGroupName[];
  forSystemGroups?: SystemGroupName;
}): GroupPermission {
  return {
    require_system_group: short.systemOnly ?? false,
    allow_internet_group: false,
    allow_nobody_group: short.nobody ?? true,
    allow_everyone_group: short.everyone ?? false,
    default_group_name: short.default,
    default_for_system_groups: short.forSystemGroups ?? null,
    allowed_system_groups: short.only ?? [],
  };
}

/** Highest number of users, and of groups, in an anonymous group. */
const holdersMax = 10_000;

const isIds = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length <= holdersMax &&
  value.every((id) => Number.isSafeInteger(id) && id > 0);

/**
 * Whether the value has the form of a group setting on the wire. Whether its users and groups exist
 * is not checked.
 */
export function isGroupSettingValue(value: unknown): value is GroupSettingValue {
  if (typeof value === "number") return isIds([value]);
  if (!isRecord(value) || Object.keys(value).length !== 2) return false;
  return isIds(value.direct_members) && isIds(value.direct_subgroups);
}

export const isSystemGroupName = (value: unknown): value is SystemGroupName =>
  systemGroupNames.some((name) => name === value);

export const isStoredGroupSetting = (value: unknown): value is StoredGroupSetting =>
  isGroupSettingValue(value) || isSystemGroupName(value);

/**
 * A group setting as a parameter. Its form is documented here and checked by `checkGroupSetting`,
 * which gives clearer errors.
 */
export const groupSettingParameter = () =>
  Type.Optional(Type.Unknown({ anyOf: groupSettingValue.anyOf }));

/** Parameter that changes a group setting: `{"new": …, "old": …}`, where `old` is optional. */
export const groupSettingChangeParameter = () =>
  Type.Optional(
    Type.Unknown({
      anyOf: [Type.Object({ new: groupSettingValue, old: Type.Optional(groupSettingValue) })],
    }),
  );

/** The permissions of a table as parameters of an endpoint, each declared by `declare`. */
export function permissionParameters<Name extends string, Schema>(
  table: Record<Name, unknown>,
  declare: () => Schema,
): Record<Name, Schema> {
  const parameters = Object.fromEntries(Object.keys(table).map((name) => [name, declare()]));
  if (!hasAll(parameters, table)) throw new Error("A permission has no parameter.");
  return parameters;
}

/** Values that an input gives for the permissions of a table, by their names. */
export function givenPermissions<Name extends string>(
  table: Record<Name, unknown>,
  input: Partial<Record<NoInfer<Name>, unknown>>,
): ReadonlyMap<Name, unknown> {
  const isIn = (name: string): name is Name => Object.hasOwn(table, name);
  const names = Object.keys(table).filter(isIn);
  return new Map(names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));
}

/**
 * Change of a group setting: the value that a request asks for, and the value that it expects to
 * replace.
 */
interface GroupSettingChange {
  new: GroupSettingValue;
  old: GroupSettingValue | undefined;
}

/** Reads `{"new": …, "old": …}`. Refuses everything else (BAD_REQUEST). */
export function readGroupSettingChange(name: string, given: unknown): GroupSettingChange {
  const form = `a JSON object with 'new' and, if you like, 'old'`;
  if (!isRecord(given) || !("new" in given)) throw badRequest(`${name} must be ${form}.`);
  const unknown = Object.keys(given).find((key) => key !== "new" && key !== "old");
  if (unknown !== undefined) throw badRequest(`${name} must be ${form}: leave out '${unknown}'.`);
  const { new: wanted, old = undefined } = given;
  if (!isGroupSettingValue(wanted)) throw badRequest(`'new' of ${valueForm(name)}`);
  if (old !== undefined && old !== null && !isGroupSettingValue(old))
    throw badRequest(`'old' of ${valueForm(name)}`);
  return { new: wanted, old: isGroupSettingValue(old) ? old : undefined };
}

/**
 * Reads a value of the wire, where a system group is given by its id and not by its name. Refuses
 * everything else (BAD_REQUEST).
 */
export function readGroupSettingValue(name: string, given: unknown): GroupSettingValue {
  if (!isGroupSettingValue(given)) throw badRequest(valueForm(name));
  return given;
}

const valueForm = (name: string) =>
  `${name} must be a group's id, or an object with 'direct_members' and 'direct_subgroups' (lists of ids).`;

const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

/**
 * The canonical form of a value: ids ascending and without duplicates, and an anonymous group of a
 * single group as that group's id. Values that grant to equal users and groups are equal in this
 * form.
 */
export function canonicalGroupSetting(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === "number") return value;
  const members = ascending(value.direct_members);
  const subgroups = ascending(value.direct_subgroups);
  const [only] = subgroups;
  if (only !== undefined && subgroups.length === 1 && members.length === 0) return only;
  return { direct_members: members, direct_subgroups: subgroups };
}

/**
 * A value as it is stored: a lone system group as its name, because its holders are then known
 * without a query. An anonymous group of nobody is `role:nobody`.
 */
export function storableGroupSetting(
  value: StoredGroupSetting,
  systemGroupIds: SystemGroupIds,
): StoredGroupSetting {
  if (typeof value === "string") return value;
  const canonical = canonicalGroupSetting(value);
  if (isEmpty(canonical)) return "role:nobody";
  return systemGroupNames.find((name) => systemGroupIds[name] === canonical) ?? canonical;
}

const isEmpty = (value: StoredGroupSetting) =>
  typeof value === "object" &&
  value.direct_members.length === 0 &&
  value.direct_subgroups.length === 0;

/**
 * Whether a value names a group, by itself or among others. `value` is the stored value of any
 * setting.
 */
export function namesGroup(value: unknown, groupId: number): boolean {
  if (!isGroupSettingValue(value)) return false;
  return typeof value === "number" ? value === groupId : value.direct_subgroups.includes(groupId);
}

/** The value on the wire, ids ascending: a system group's name becomes its id in this realm. */
export function resolveGroupSetting(
  value: StoredGroupSetting,
  systemGroupIds: SystemGroupIds,
): GroupSettingValue {
  if (typeof value !== "string") return canonicalGroupSetting(value);
  const id = systemGroupIds[value];
  if (id === undefined) throw new Error(`The realm has no system group ${value}.`);
  return id;
}

function isAllowed(permission: GroupPermission, group: SystemGroupName): boolean {
  const { allowed_system_groups: only } = permission;
  if (only.length > 0 && !only.includes(group)) return false;
  if (group === "role:internet") return permission.allow_internet_group;
  if (group === "role:everyone") return permission.allow_everyone_group;
  return group !== "role:nobody" || permission.allow_nobody_group;
}

const allowedNames = (permission: GroupPermission) =>
  systemGroupNames.filter((group) => isAllowed(permission, group)).join(", ");

/**
 * Reason why a permission may not have this value, as a sentence that says which values are
 * allowed; undefined when it may. Without `systemGroupIds` only the form is checked. The caller
 * checks whether the other users and groups exist.
 */
export function groupSettingRefusal(
  name: string,
  permission: GroupPermission,
  value: unknown,
  systemGroupIds: SystemGroupIds = {},
): string | undefined {
  if (!isStoredGroupSetting(value)) return valueForm(name);
  const nameOf = (id: number) => systemGroupNames.find((group) => systemGroupIds[group] === id);
  const isKnown = Object.keys(systemGroupIds).length > 0;
  const isSystem =
    typeof value === "string" ||
    (typeof value === "number" && (!isKnown || nameOf(value) !== undefined));
  if (permission.require_system_group && !isSystem)
    return `${name} must be one of ${allowedNames(permission)}.`;
  const groups = typeof value === "object" ? value.direct_subgroups : [value];
  const named = isEmpty(value)
    ? ["role:nobody" as const]
    : groups.map((group) => (typeof group === "string" ? group : nameOf(group)));
  const refused = named.find((group) => group !== undefined && !isAllowed(permission, group));
  if (refused === undefined) return undefined;
  return `${name} cannot be ${refused}. Of the system groups, it may be ${allowedNames(permission)}.`;
}

/** A JSON column of stored differences, decoded. */
export function parseStoredSettings(json: string): Record<string, unknown> {
  const stored: unknown = JSON.parse(json);
  if (!isRecord(stored)) throw new Error("Stored settings must be a JSON object.");
  return stored;
}

type Named<Name extends string, Value> = Record<string, Value> & Record<Name, Value>;

const hasAll = <Name extends string, Value>(
  values: Record<string, Value>,
  names: Record<Name, unknown>,
): values is Named<Name, Value> => Object.keys(names).every((name) => name in values);

/**
 * Every setting of the table on the wire: the stored value, or else the one that `defaultOf` gives.
 * `stored` is the JSON of the differences; members without the form of a group setting are ignored.
 */
export function resolveGroupSettings<Name extends string>(
  table: Record<Name, GroupPermission>,
  stored: string,
  systemGroupIds: SystemGroupIds,
  defaultOf: (permission: GroupPermission) => SystemGroupName,
): Record<Name, GroupSettingValue> {
  const differences = parseStoredSettings(stored);
  const values: Record<string, GroupSettingValue> = {};
  for (const [name, permission] of Object.entries<GroupPermission>(table)) {
    const difference = differences[name];
    const value = isStoredGroupSetting(difference) ? difference : defaultOf(permission);
    values[name] = resolveGroupSetting(value, systemGroupIds);
  }
  if (!hasAll(values, table)) throw new Error("A group setting has no value.");
  return values;
}

/**
 * One setting of a table as it is stored: the difference, or else the name of its default system
 * group. Checking whether somebody holds it then needs no query, unless the value contains a group
 * that people made.
 */
export function storedGroupSetting<Name extends string>(
  table: Record<Name, GroupPermission>,
  stored: string,
  name: Name,
): StoredGroupSetting {
  const difference = stored === "{}" ? undefined : parseStoredSettings(stored)[name];
  return isStoredGroupSetting(difference) ? difference : systemDefault(table[name]);
}

/**
 * The system group that is a setting's default. It is the group of nobody if the default is the
 * creator but there is none.
 */
export function systemDefault({ default_group_name: name }: GroupPermission): SystemGroupName {
  return name === "channel_creator" || name === "group_creator" ? "role:nobody" : name;
}

/**
 * Settings that a new channel or group stores in addition to those that its creator chose: the ones
 * whose default is the creator.
 */
export function creatorSettings(
  table: Record<string, GroupPermission>,
  creatorId: number,
): Record<string, GroupSettingValue> {
  const names = Object.keys(table).filter((name) =>
    table[name]?.default_group_name.endsWith("_creator"),
  );
  return Object.fromEntries(
    names.map((name) => [name, { direct_members: [creatorId], direct_subgroups: [] }]),
  );
}
