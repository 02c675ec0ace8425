import { systemDefault } from "../../core/group-setting";
import {
  type UserGroupSettingName,
  userGroupSettings,
} from "../../people/user-groups/group-settings";
import { groupHolders } from "../../people/user-groups/permission";
import type { Change } from "./changes";
import type { DeclaredGroup } from "./declaration";
import { planPermissions } from "./plan-permissions";
import {
  activeEmails,
  differenceOf,
  findNamed,
  findStoredGroup,
  type Planning,
  requireUsable,
} from "./planning";

/**
 * Groups are made first and nested afterwards, since one may be declared before the groups in it. A
 * nesting that is to end comes apart before that: a group that was in another may be the one that
 * is around it now.
 */
export function planGroups(planning: Planning) {
  const { declaration, changes } = planning;
  const nested: SubgroupChange[] = [];
  declaration.groups.forEach((group, index) => {
    const members = group.members && resolveMembers(planning, group, index);
    planGroup(planning, { ...group, members });
    nested.push(...planSubgroups(planning, group, index));
  });
  changes.push(
    ...nested.filter(({ remove }) => remove.length > 0),
    ...nested.filter(({ add }) => add.length > 0),
  );
  declaration.groups.forEach((group, index) => {
    planGroupPermissions(planning, group, index);
  });
}

/** After all groups are there, since they may hold permissions of each other. */
function planGroupPermissions(
  planning: Planning,
  { name, permissions: declared }: DeclaredGroup,
  index: number,
) {
  const known = findStoredGroup(planning, name);
  const current = (permission: UserGroupSettingName) =>
    known ? groupHolders(known.group, permission) : systemDefault(userGroupSettings[permission]);
  const permissions = planPermissions(
    planning,
    ["groups", index, "permissions"],
    declared,
    current,
  );
  if (permissions.size > 0)
    planning.changes.push({ kind: "changeGroupPermissions", name, permissions });
}

type SubgroupChange = Extract<Change, { kind: "changeSubgroups" }>;

/** The members' addresses as their accounts have them, once each. */
function resolveMembers(
  planning: Planning,
  { members = [] }: DeclaredGroup,
  index: number,
): string[] {
  const found = members.flatMap(
    (email, place) => findNamed(planning, email, ["groups", index, "members", place]) ?? [],
  );
  return [...new Set(found.map(({ email }) => email))];
}

function planGroup(planning: Planning, declared: DeclaredGroup) {
  const { stored, changes } = planning;
  const { name, description, members } = declared;
  const known = findStoredGroup(planning, name);
  if (!known) {
    changes.push({ kind: "addGroup", group: declared });
    return;
  }
  if (!known.group.isActive) changes.push({ kind: "reactivateGroup", name });
  if (description !== undefined && description !== known.group.description) {
    changes.push({ kind: "describeGroup", name, description });
  }
  if (members === undefined) return;
  const { add, remove } = differenceOf(
    members,
    activeEmails(planning, stored.members.get(known.group.id)),
  );
  if (add.length + remove.length > 0)
    changes.push({ kind: "changeMembers", group: name, add, remove });
}

function planSubgroups(
  planning: Planning,
  { name, subgroups }: DeclaredGroup,
  index: number,
): SubgroupChange[] {
  const { stored } = planning;
  if (subgroups === undefined) return [];
  for (const [place, one] of subgroups.entries()) {
    requireUsable(planning, one, ["groups", index, "subgroups", place]);
  }
  const ids = findStoredGroup(planning, name)?.subgroupIds ?? [];
  const current = stored.groups
    .filter(({ group }) => ids.includes(group.id))
    .map(({ group }) => group.name);
  const { add, remove } = differenceOf(subgroups, current);
  const changes = [
    { kind: "changeSubgroups" as const, group: name, add: [], remove },
    { kind: "changeSubgroups" as const, group: name, add, remove: [] },
  ];
  return changes.filter((change) => change.add.length + change.remove.length > 0);
}
