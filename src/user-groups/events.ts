import { Type } from "@sinclair/typebox";
import { event } from "../events/define";
import { groupObject } from "./wire";

const members = { group_id: Type.Integer(), user_ids: Type.Array(Type.Integer()) };
const subgroups = { group_id: Type.Integer(), direct_subgroup_ids: Type.Array(Type.Integer()) };

/** There is a new group. All events of groups go to the realm. */
export const groupAdded = event("user_group", "add", { group: groupObject });

/** A group's name or description is another one. */
export const groupUpdated = event("user_group", "update", {
  group_id: Type.Integer(),
  data: Type.Object({ name: Type.Optional(Type.String()), description: Type.Optional(Type.String()) }),
});

export const groupMembersAdded = event("user_group", "add_members", members);
export const groupMembersRemoved = event("user_group", "remove_members", members);
export const groupSubgroupsAdded = event("user_group", "add_subgroups", subgroups);
export const groupSubgroupsRemoved = event("user_group", "remove_subgroups", subgroups);
