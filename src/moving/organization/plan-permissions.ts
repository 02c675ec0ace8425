import { isSystemGroupName, type StoredGroupSetting } from "../../core/group-setting";
import { type DeclaredHolders, type DeclaredPermissions, holderPath } from "./declared-permissions";
import { findNamed, type Planning, requireUsable } from "./planning";
import type { Path } from "./problems";

/**
 * The permissions of something that are to become others, by name, with their holders as they are
 * looked up later: exact names of groups, addresses as accounts have them. `current` tells what a
 * permission is now; without it nothing is stored. Groups and people that are not there are
 * problems of their places.
 */
export function planPermissions<Name extends string>(
  planning: Planning,
  path: Path,
  declared: DeclaredPermissions<Name>,
  current?: (name: Name) => StoredGroupSetting,
): Map<Name, DeclaredHolders> {
  const different = new Map<Name, DeclaredHolders>();
  for (const [name, holders] of declared) {
    const wanted = resolveHolders(planning, holders, (index) => holderPath(path, name, index));
    if (!wanted) continue;
    if (current && Bun.deepEquals(wanted, holdersOf(planning, current(name)))) continue;
    different.set(name, wanted);
  }
  return different;
}

/**
 * Holders in one form, in which those that mean the same are equal; undefined where one of them is
 * not there.
 */
export function resolveHolders(
  planning: Planning,
  holders: DeclaredHolders,
  pathOf: (index: number) => Path,
): DeclaredHolders | undefined {
  const resolved = holders.map((holder, index) => resolveHolder(planning, holder, pathOf(index)));
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

/**
 * The holders of a permission as it is stored; people whose accounts are deactivated hold nothing.
 */
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

/** Nobody is no name. */
const inOneForm = (names: readonly string[]): DeclaredHolders =>
  [...new Set(names)].filter((name) => name !== "role:nobody").sort();
