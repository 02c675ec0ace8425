import {
  byKey,
  change,
  changeEach,
  put,
  withAll,
  withMembers,
  withoutAll,
  withoutKeys,
} from "./copies";
import { deactivatedBy } from "./users";
import type { Event, EventOf, Register, WireGroup } from "./wire";

/** A group of users and of other groups. */
export interface Group extends Omit<WireGroup, "members" | "direct_subgroup_ids"> {
  readonly members: ReadonlySet<number>;
  readonly direct_subgroup_ids: ReadonlySet<number>;
}

/** All groups by id, including the system groups. */
export type Groups = ReadonlyMap<number, Group>;

const groupOf = (wire: WireGroup): Group => ({
  ...wire,
  members: new Set(wire.members),
  direct_subgroup_ids: new Set(wire.direct_subgroup_ids),
});

export const groupsFrom = ({ realm_user_groups }: Register): Groups =>
  byKey(realm_user_groups.map(groupOf), ({ id }) => id);

export function applyGroups(groups: Groups, event: Event): Groups {
  if (event.type === "user_group") return applyGroup(groups, event);
  const gone = deactivatedBy(event);
  if (gone === undefined) return groups;
  return changeEach(groups, (group) => withMembersOf(group, withoutAll(group.members, [gone])));
}

function applyGroup(groups: Groups, event: EventOf<"user_group">): Groups {
  switch (event.op) {
    case "add":
      return put(groups, event.group.id, groupOf(event.group));
    case "remove":
      return withoutKeys(groups, [event.group_id]);
    case "update":
      return change(groups, event.group_id, (group) => withMembers(group, event.data));
    case "add_members":
      return change(groups, event.group_id, (group) =>
        withMembersOf(group, withAll(group.members, event.user_ids)),
      );
    case "remove_members":
      return change(groups, event.group_id, (group) =>
        withMembersOf(group, withoutAll(group.members, event.user_ids)),
      );
    case "add_subgroups":
      return change(groups, event.group_id, (group) =>
        withSubgroups(group, withAll(group.direct_subgroup_ids, event.direct_subgroup_ids)),
      );
    case "remove_subgroups":
      return change(groups, event.group_id, (group) =>
        withSubgroups(group, withoutAll(group.direct_subgroup_ids, event.direct_subgroup_ids)),
      );
  }
}

/** Ids of all members of a group, including members of nested groups at any depth. */
export function membersOfGroup(groups: Groups, groupId: number): ReadonlySet<number> {
  const seen = new Set<number>();
  const members = new Set<number>();
  const waiting = [groupId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const group = groups.get(id);
    if (group === undefined || seen.has(id)) continue;
    seen.add(id);
    for (const member of group.members) members.add(member);
    waiting.push(...group.direct_subgroup_ids);
  }
  return members;
}

const withMembersOf = (group: Group, members: Group["members"]) => withMembers(group, { members });

const withSubgroups = (group: Group, direct_subgroup_ids: Group["direct_subgroup_ids"]) =>
  withMembers(group, { direct_subgroup_ids });
