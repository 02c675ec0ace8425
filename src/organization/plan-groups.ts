import { isSystemGroupName } from "../core/group-setting";
import type { Change } from "./changes";
import type { DeclaredGroup } from "./declaration";
import { activeEmails, differenceOf, findNamed, type Planning } from "./planning";

/** Groups are made first and nested afterwards, since one may be declared before the groups in it. */
export function planGroups(planning: Planning) {
  const { declaration, changes } = planning;
  const nested: Change[] = [];
  declaration.groups.forEach((group, index) => {
    const members = group.members && resolveMembers(planning, group, index);
    planGroup(planning, { ...group, members });
    nested.push(...planSubgroups(planning, group, index));
  });
  changes.push(...nested);
}

/** The members' addresses as their accounts have them, once each. */
function resolveMembers(planning: Planning, { members = [] }: DeclaredGroup, index: number): string[] {
  const found = members.flatMap(
    (email, place) => findNamed(planning, email, ["groups", index, "members", place]) ?? [],
  );
  return [...new Set(found.map(({ email }) => email))];
}

const findStoredGroup = ({ stored }: Planning, name: string) => stored.groups.find(({ group }) => group.name === name);

function planGroup(planning: Planning, declared: DeclaredGroup) {
  const { stored, changes } = planning;
  const { name, description, members } = declared;
  const known = findStoredGroup(planning, name);
  if (!known) {
    changes.push({ kind: "addGroup", group: declared });
    return;
  }
  if (description !== undefined && description !== known.group.description) {
    changes.push({ kind: "describeGroup", name, description });
  }
  if (members === undefined) return;
  const { add, remove } = differenceOf(members, activeEmails(planning, stored.members.get(known.group.id)));
  if (add.length + remove.length > 0) changes.push({ kind: "changeMembers", group: name, add, remove });
}

function planSubgroups(planning: Planning, { name, subgroups }: DeclaredGroup, index: number): Change[] {
  const { declaration, stored, problems } = planning;
  if (subgroups === undefined) return [];
  const exists = (one: string) =>
    isSystemGroupName(one) ||
    declaration.groups.some((group) => group.name === one) ||
    findStoredGroup(planning, one) !== undefined;
  subgroups.forEach((one, place) => {
    const message = `there is no group '${one}', here or in the organization.`;
    if (!exists(one)) problems.push({ path: ["groups", index, "subgroups", place], message });
  });
  const ids = findStoredGroup(planning, name)?.subgroupIds ?? [];
  const current = stored.groups.filter(({ group }) => ids.includes(group.id)).map(({ group }) => group.name);
  const { add, remove } = differenceOf(subgroups, current);
  return add.length + remove.length > 0 ? [{ kind: "changeSubgroups", group: name, add, remove }] : [];
}
