import {
  creatorSettings,
  type GroupPermission,
  type GroupSettingValue,
  groupPermission,
  resolveGroupSettings,
  type SystemGroupIds,
  systemDefault,
} from "../../core/rights/group-setting";

const forSystemGroups = "role:nobody" as const;

/** Permissions of one user group. For a system group nobody has any of them. */
export const userGroupSettings = {
  can_add_members_group: groupPermission({ default: "group_creator", forSystemGroups }),
  can_join_group: groupPermission({ default: "role:nobody", forSystemGroups }),
  can_leave_group: groupPermission({ default: "role:everyone", everyone: true, forSystemGroups }),
  can_manage_group: groupPermission({ default: "group_creator", forSystemGroups }),
  // Not the owners: `docs/protocol/specification.md`, POST /user_groups/create.
  can_mention_group: groupPermission({
    default: "role:everyone",
    everyone: true,
    only: [
      "role:everyone",
      "role:members",
      "role:fullmembers",
      "role:moderators",
      "role:administrators",
      "role:nobody",
    ],
    forSystemGroups,
  }),
  can_remove_members_group: groupPermission({ default: "role:nobody", forSystemGroups }),
} satisfies Record<string, GroupPermission>;

export type UserGroupSettingName = keyof typeof userGroupSettings;

type UserGroupSettings = Record<UserGroupSettingName, GroupSettingValue>;

/** A group's permissions on the wire. `stored` is `user_groups.settings`. */
export const resolveUserGroupSettings = (
  stored: string,
  systemGroupIds: SystemGroupIds,
  isSystemGroup: boolean,
): UserGroupSettings =>
  resolveGroupSettings(userGroupSettings, stored, systemGroupIds, (permission) =>
    isSystemGroup
      ? (permission.default_for_system_groups ?? "role:nobody")
      : systemDefault(permission),
  );

/** Initial settings of a new group: its creator manages it and adds members. */
export const userGroupCreatorSettings = (creatorId: number) =>
  creatorSettings(userGroupSettings, creatorId);

/** Given values of permissions, by name. */
export type GivenSettings = ReadonlyMap<UserGroupSettingName, unknown>;
