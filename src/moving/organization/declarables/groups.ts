import { systemDefault } from "../../../core/rights/group-setting";
import { deactivateGroupIn, reactivateGroupIn } from "../../../management/groups/activity";
import {
  cleanGroupDescription,
  cleanGroupName,
  createGroupIn,
} from "../../../management/groups/create";
import { changeGroupMembersIn, changeSubgroupsIn } from "../../../management/groups/members";
import { updateGroupIn } from "../../../management/groups/update";
import {
  type UserGroupSettingName,
  userGroupSettings,
} from "../../../people/user-groups/group-settings";
import { groupHolders } from "../../../people/user-groups/permission";
import { type GroupWithMembers, listGroups } from "../../../people/user-groups/queries";
import { systemGroupIds } from "../../../people/users/system-group-membership";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import type { Declaration } from "../declaration";
import { type Dumping, dumpPermissions, emailsOf, groupNames, present } from "../dumping";
import {
  type Item,
  openMapping,
  readItems,
  readText,
  readTexts,
  refuseRepeated,
  requireText,
} from "../file/decode";
import type { Path, Problem } from "../file/problems";
import {
  type DeclaredPermissions,
  describePermissions,
  permissionChanges,
  planPermissions,
  readPermissions,
} from "../permissions";
import {
  activeEmails,
  differenceOf,
  findNamed,
  findStoredGroup,
  listNames,
  type Planning,
  requireUsable,
} from "../planning";
import { listMembers } from "../stored-members";
import { groupId, userIds } from "../work";

export interface DeclaredGroup {
  name: string;
  description: string | undefined;
  members: string[] | undefined;
  subgroups: string[] | undefined;
  permissions: DeclaredPermissions<UserGroupSettingName>;
}

/** Groups of people, bots and other groups. */
export const groups: Declarable = {
  read: (root) => ({
    groups: readItems(root, "groups").map((item) => readGroup(root.problems, item)),
  }),
  check(declaration, problems) {
    const names = declaration.groups.map(({ name }, index) => ({
      path: ["groups", index, "name"],
      name,
      shown: `'${name}'`,
    }));
    refuseRepeated(problems, names);
    checkCircles(declaration, problems);
  },
  load: async ({ reader, realm, now }) => ({
    groups: await listGroups(reader, { realm, now }),
    systemGroupIds: await systemGroupIds(reader, realm.id),
    members: await listMembers(reader, realm.id),
  }),
  plan: planGroups,
  dump: (dumping) => ({ groups: dumpGroups(dumping) }),
  prune: { part: "groups", changes: pruneGroups },
};

const keys = ["name", "description", "members", "subgroups", "permissions"];

function readGroup(problems: Problem[], { path, value }: Item): DeclaredGroup {
  const node = openMapping(problems, path, value, "a group", keys);
  return {
    name: requireText(node, "name", cleanGroupName),
    description: readText(node, "description", cleanGroupDescription),
    members: readTexts(node, "members", (text) => text.trim()),
    subgroups: readTexts(node, "subgroups", (text) => text.trim()),
    permissions: readPermissions(node, { of: "a group", table: userGroupSettings }),
  };
}

/** Adds a problem for each declared group that contains itself, directly or through others. */
function checkCircles({ groups }: Declaration, problems: Problem[]) {
  const subgroupsOf = new Map(groups.map(({ name, subgroups }) => [name, subgroups ?? []]));
  groups.forEach(({ name }, index) => {
    const seen = new Set<string>();
    let level = subgroupsOf.get(name) ?? [];
    while (level.length > 0) {
      for (const one of level) seen.add(one);
      level = [...new Set(level.flatMap((one) => subgroupsOf.get(one) ?? []))].filter(
        (one) => !seen.has(one),
      );
    }
    if (seen.has(name))
      problems.push({
        path: ["groups", index, "subgroups"],
        message: `the group '${name}' contains itself.`,
      });
  });
}

/**
 * Plans changes of groups. All groups are made first and nested afterwards, because a group may be
 * declared before the groups in it. Nestings that end are removed before new ones are added,
 * because two groups may exchange their places.
 */
function planGroups(planning: Planning) {
  const { declaration, changes } = planning;
  const nestings = declaration.groups.map((group, index) => {
    const members = group.members && resolveMembers(planning, group, index);
    planGroup(planning, { ...group, members }, index);
    return planSubgroups(planning, group, index);
  });
  changes.push(
    ...nestings.flatMap(({ ends }) => ends),
    ...nestings.flatMap(({ begins }) => begins),
  );
  declaration.groups.forEach((group, index) => {
    planGroupPermissions(planning, group, index);
  });
}

/**
 * Plans the permissions of groups after all groups are planned, because groups may hold permissions
 * of each other.
 */
function planGroupPermissions(
  planning: Planning,
  { name, permissions: declared }: DeclaredGroup,
  index: number,
) {
  const storedGroup = findStoredGroup(planning, name);
  const current = (permission: UserGroupSettingName) =>
    storedGroup
      ? groupHolders(storedGroup.group, permission)
      : systemDefault(userGroupSettings[permission]);
  const permissions = planPermissions(
    planning,
    ["groups", index, "permissions"],
    declared,
    current,
  );
  if (permissions.size > 0)
    planning.changes.push(changePermissions(["groups", index], name, permissions));
}

/** The e-mail addresses of the members as their accounts have them, without duplicates. */
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

function planGroup(planning: Planning, declared: DeclaredGroup, index: number) {
  const { stored, changes } = planning;
  const path = ["groups", index];
  const { name, description, members } = declared;
  const storedGroup = findStoredGroup(planning, name);
  if (!storedGroup) {
    changes.push(addGroup(path, declared));
    return;
  }
  if (!storedGroup.group.isActive) changes.push(reactivateGroup(path, name));
  if (description !== undefined && description !== storedGroup.group.description) {
    changes.push(describeGroup(path, name, description));
  }
  if (members === undefined) return;
  const { add, remove } = differenceOf(
    members,
    activeEmails(planning, stored.members.get(storedGroup.group.id)),
  );
  if (add.length + remove.length > 0) changes.push(changeMembers(path, name, { add, remove }));
}

function planSubgroups(
  planning: Planning,
  { name, subgroups }: DeclaredGroup,
  index: number,
): { ends: Change[]; begins: Change[] } {
  const { stored } = planning;
  if (subgroups === undefined) return { ends: [], begins: [] };
  const path = ["groups", index];
  for (const [place, one] of subgroups.entries()) {
    requireUsable(planning, one, [...path, "subgroups", place]);
  }
  const ids = findStoredGroup(planning, name)?.subgroupIds ?? [];
  const current = stored.groups
    .filter(({ group }) => ids.includes(group.id))
    .map(({ group }) => group.name);
  const { add, remove } = differenceOf(subgroups, current);
  return {
    ends: remove.length > 0 ? [changeSubgroups(path, name, { add: [], remove })] : [],
    begins: add.length > 0 ? [changeSubgroups(path, name, { add, remove: [] })] : [],
  };
}

/** Names of members or groups to add to a group, and those to remove from it. */
interface Difference {
  add: string[];
  remove: string[];
}

function describeDifference(of: string, { add, remove }: Difference): string[] {
  const come = add.length > 0 ? [`+ ${of}: ${listNames(add)}`] : [];
  return remove.length > 0 ? [...come, `- ${of}: ${listNames(remove)}`] : come;
}

/** Adds a group without the groups in it. A separate change adds these. */
const addGroup = (path: Path, { name, description = "", members = [] }: DeclaredGroup): Change => ({
  lines: [
    `+ group ${name}`,
    ...describeDifference(`member of ${name}`, { add: members, remove: [] }),
  ],
  path,
  async carryOut(work) {
    const group = { name, description, memberIds: userIds(work, members), subgroupIds: [] };
    work.groups.set(name, (await createGroupIn(work.tx, work.ctx, group)).id);
  },
});

const reactivateGroup = (path: Path, name: string): Change => ({
  lines: [`~ group ${name}: reactivated`],
  path,
  carryOut: (work) => reactivateGroupIn(work.tx, work.ctx, groupId(work, name)),
});

const describeGroup = (path: Path, name: string, description: string): Change => ({
  lines: [`~ group ${name}: description ${JSON.stringify(description)}`],
  path,
  carryOut: (work) => updateGroupIn(work.tx, work.ctx, groupId(work, name), { description }),
});

const changePermissions = (
  path: Path,
  name: string,
  permissions: DeclaredPermissions<UserGroupSettingName>,
): Change => ({
  lines: describePermissions(`group ${name}`, permissions),
  path,
  carryOut: (work) =>
    updateGroupIn(work.tx, work.ctx, groupId(work, name), {
      settings: permissionChanges(work, permissions),
    }),
});

const changeMembers = (path: Path, name: string, { add, remove }: Difference): Change => ({
  lines: describeDifference(`member of ${name}`, { add, remove }),
  path,
  carryOut(work) {
    const members = { add: userIds(work, add), remove: userIds(work, remove) };
    return changeGroupMembersIn(work.tx, work.ctx, groupId(work, name), members);
  },
});

const changeSubgroups = (path: Path, name: string, { add, remove }: Difference): Change => ({
  lines: describeDifference(`subgroup of ${name}`, { add, remove }),
  path,
  carryOut(work) {
    const idsOf = (names: string[]) => names.map((one) => groupId(work, one));
    const subgroups = { add: idsOf(add), remove: idsOf(remove) };
    return changeSubgroupsIn(work.tx, work.ctx, groupId(work, name), subgroups);
  },
});

const dumpGroups = (dumping: Dumping) =>
  dumping.stored.groups
    .filter(({ group }) => group.isActive && !group.isSystem)
    .map(({ group, subgroupIds }) =>
      present({
        name: group.name,
        description: group.description,
        members: emailsOf(dumping, dumping.stored.members.get(group.id) ?? []),
        subgroups: groupNames(dumping, subgroupIds),
        permissions: dumpPermissions(dumping, userGroupSettings, (name) =>
          groupHolders(group, name),
        ),
      }),
    );

/**
 * Deactivates undeclared groups. Groups that contain other groups come first, because a group in
 * use cannot be deactivated.
 */
function pruneGroups({ declaration, stored }: Planning): Change[] {
  const declared = new Set(declaration.groups.map(({ name }) => name));
  let left = stored.groups.filter(
    ({ group }) => group.isActive && !group.isSystem && !declared.has(group.name),
  );
  const ordered: GroupWithMembers[] = [];
  while (left.length > 0) {
    const inner = new Set(left.flatMap(({ subgroupIds }) => subgroupIds));
    const outer = left.filter(({ group }) => !inner.has(group.id));
    if (outer.length === 0) throw new Error("Groups contain each other in a circle.");
    ordered.push(...outer);
    left = left.filter((one) => !outer.includes(one));
  }
  return ordered.map(({ group: { id, name } }) => ({
    lines: [`- group ${name}: not declared, deactivated`],
    path: ["groups"],
    prunes: "groups",
    carryOut: ({ tx, ctx }) => deactivateGroupIn(tx, ctx, id),
  }));
}
