import {
  canonicalGroupSetting,
  type GroupPermission,
  type GroupSettingValue,
  groupSettingRefusal,
  isSystemGroupName,
  type StoredGroupSetting,
} from "../../core/rights/group-setting";
import { type Node, openMapping, readTexts } from "./file/decode";
import type { Path } from "./file/problems";
import { findNamed, type Planning, requireUsable } from "./planning";
import { groupId, userIds, type Work } from "./work";

/** Declared holders of a permission: groups by their names, people by their e-mail addresses. */
export type DeclaredHolders = readonly string[];

/** Holders by the names of the permissions, for permissions in the file. */
export type DeclaredPermissions<Name extends string> = ReadonlyMap<Name, DeclaredHolders>;

/** The permissions of a kind of object. `of` names the kind in messages: "a channel". */
interface Permissions<Name extends string> {
  of: string;
  table: Record<Name, GroupPermission>;
}

/**
 * The permissions in a part of the file: `permissions: {can_send_message_group: [devs,
 * alice@example.com]}`, or one name instead of a list. Unknown permissions, and system groups that
 * may not hold a permission, become problems.
 */
export function readPermissions<Name extends string>(
  { fields, problems, path: parent }: Node,
  { of, table }: Permissions<Name>,
): DeclaredPermissions<Name> {
  const read = new Map<Name, DeclaredHolders>();
  if (fields.permissions === undefined) return read;
  const path = [...parent, "permissions"];
  const node = openMapping(
    problems,
    path,
    fields.permissions,
    `the permissions of ${of}`,
    Object.keys(table),
  );
  for (const name of Object.keys(node.fields)) {
    if (isIn(table, name)) read.set(name, readHolders(node, name, table[name]) ?? []);
  }
  return read;
}

const isIn = <Name extends string>(table: Record<Name, unknown>, name: string): name is Name =>
  Object.hasOwn(table, name);

/**
 * The holders of one permission; undefined where they are not given as names. A group that may not
 * hold it becomes a problem.
 */
export function readHolders(
  node: Node,
  name: string,
  permission: GroupPermission,
): DeclaredHolders | undefined {
  const { fields, problems, path } = node;
  const place = [...path, name];
  const holders =
    typeof fields[name] === "string"
      ? [fields[name].trim()]
      : readTexts(node, name, (one) => one.trim());
  if (holders === undefined) return undefined;
  const refusal = refusalOf(name, permission, holders);
  if (refusal !== undefined) problems.push({ path: place, message: refusal });
  return holders;
}

const someIds = { direct_members: [1], direct_subgroups: [] };

/** Reason why a permission may not have these holders, because of a system group among them. */
function refusalOf(
  name: string,
  permission: GroupPermission,
  holders: DeclaredHolders,
): string | undefined {
  const refusal = (value: unknown) => groupSettingRefusal(name, permission, value);
  const [only, ...others] = holders;
  if (permission.require_system_group && (others.length > 0 || !isSystemGroupName(only)))
    return refusal(someIds);
  const groups =
    holders.length === 0 ? ["role:nobody" as const] : holders.filter(isSystemGroupName);
  return groups.map(refusal).find((one) => one !== undefined);
}

/** Holders as text for people. */
export const describeHolders = (holders: DeclaredHolders) =>
  holders.length === 0 ? "role:nobody" : holders.join(", ");

/** A line for each permission, with its holders. */
export const describePermissions = (of: string, permissions: DeclaredPermissions<string>) =>
  [...permissions].map(([name, holders]) => `~ ${of}: ${name} ${describeHolders(holders)}`);

/**
 * The permissions that change, by name. Their holders are in the form in which they are looked up
 * later: exact names of groups, and addresses as in accounts. `current` gives the stored value;
 * without it no permission is stored yet. Missing groups and people become problems with their
 * places.
 */
export function planPermissions<Name extends string>(
  planning: Planning,
  path: Path,
  declared: DeclaredPermissions<Name>,
  current?: (name: Name) => StoredGroupSetting,
): Map<Name, DeclaredHolders> {
  const different = new Map<Name, DeclaredHolders>();
  for (const [name, holders] of declared) {
    const wanted = resolveHolders(planning, holders, [...path, name]);
    if (!wanted) continue;
    if (current && Bun.deepEquals(wanted, holdersOf(planning, current(name)))) continue;
    different.set(name, wanted);
  }
  return different;
}

/**
 * Holders in canonical form: lists of equal holders become equal. Undefined where one of them is
 * missing.
 */
function resolveHolders(
  planning: Planning,
  holders: DeclaredHolders,
  path: Path,
): DeclaredHolders | undefined {
  const resolved = holders.map((holder, index) =>
    resolveHolder(planning, holder, [...path, index]),
  );
  return resolved.includes(undefined) ? undefined : inOneForm(resolved.flatMap((one) => one ?? []));
}

function resolveHolder(planning: Planning, holder: string, path: Path): string | undefined {
  const { declaration, stored } = planning;
  const isGroup =
    isSystemGroupName(holder) ||
    declaration.groups.some(({ name }) => name === holder) ||
    stored.groups.some(({ group }) => group.name === holder);
  if (!isGroup && holder.includes("@")) return findNamed(planning, holder, path)?.email;
  return requireUsable(planning, holder, path) ? holder : undefined;
}

/** The holders of a stored permission, without deactivated people. */
export function holdersOf(
  { stored, accounts }: Planning,
  value: StoredGroupSetting,
): DeclaredHolders {
  if (typeof value === "string") return inOneForm([value]);
  const groupIds = typeof value === "number" ? [value] : value.direct_subgroups;
  const userIds = typeof value === "number" ? [] : value.direct_members;
  const groups = stored.groups
    .filter(({ group }) => groupIds.includes(group.id))
    .map(({ group }) => group.name);
  const people = [...accounts.values()].filter(
    ({ id, isActive }) => isActive && id !== undefined && userIds.includes(id),
  );
  return inOneForm([...groups, ...people.map(({ email }) => email)]);
}

/** Holders without the system group "nobody", because an empty list means it. */
const inOneForm = (names: readonly string[]): DeclaredHolders =>
  [...new Set(names)].filter((name) => name !== "role:nobody").sort();

/** Permissions with their values as on the wire. */
export const permissionValues = <Name extends string>(
  work: Work,
  permissions: DeclaredPermissions<Name>,
) =>
  [...permissions].map(([name, holders]): [Name, GroupSettingValue] => [
    name,
    holdersValue(work, holders),
  ]);

/** Permissions in the form of a request that changes them. */
export const permissionChanges = <Name extends string>(
  work: Work,
  permissions: DeclaredPermissions<Name>,
) => new Map(permissionValues(work, permissions).map(([name, value]) => [name, { new: value }]));

function holdersValue(work: Work, holders: DeclaredHolders): GroupSettingValue {
  if (holders.length === 0) return groupId(work, "role:nobody");
  const [groups, people] = [
    holders.filter((one) => work.groups.has(one)),
    holders.filter((one) => !work.groups.has(one)),
  ];
  return canonicalGroupSetting({
    direct_members: userIds(work, people),
    direct_subgroups: groups.map((name) => groupId(work, name)),
  });
}
