import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import { groupSettingValue, type SystemGroupIds } from "../../core/rights/group-setting";
import { resolveUserGroupSettings } from "./group-settings";
import type { GroupWithMembers } from "./queries";

/** A group's permissions on the wire. */
export const groupSettingsObject = Type.Object(
  {
    can_add_members_group: groupSettingValue,
    can_join_group: groupSettingValue,
    can_leave_group: groupSettingValue,
    can_manage_group: groupSettingValue,
    can_mention_group: groupSettingValue,
    can_remove_members_group: groupSettingValue,
  },
  { title: "GroupSettings" },
);

/** The protocol's user group. */
export const groupObject = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    date_created: nullable(Type.Integer()),
    creator_id: nullable(Type.Integer()),
    members: Type.Array(Type.Integer()),
    direct_subgroup_ids: Type.Array(Type.Integer()),
    is_system_group: Type.Boolean(),
    deactivated: Type.Boolean(),
    ...groupSettingsObject.properties,
  },
  { title: "UserGroup" },
);

type GroupObject = Static<typeof groupObject>;

/** A group for clients. A system group has no creator and no time of creation. */
export function groupWire(
  { group, memberIds, subgroupIds }: GroupWithMembers,
  ids: SystemGroupIds,
): GroupObject {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    date_created: group.isSystem ? null : group.createdAt,
    creator_id: group.creatorId,
    members: memberIds,
    direct_subgroup_ids: subgroupIds,
    is_system_group: group.isSystem,
    deactivated: !group.isActive,
    ...resolveUserGroupSettings(group.settings, ids, group.isSystem),
  };
}
