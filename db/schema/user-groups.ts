import type { Columns } from "./columns";

/**
 * User groups. The members of a system group follow from the users' roles and have no rows.
 * `settings` is a JSON object of group-setting values by name (`can_mention_group`, …) that differ
 * from their defaults.
 */
export function userGroupTables(columns: Columns) {
  const { table, identity, identityKey, integer, text, boolean, index, uniqueIndex, primaryKey } =
    columns;
  const userGroups = table(
    "user_groups",
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      name: text("name").notNull(),
      description: text("description").notNull(),
      isSystem: boolean("is_system").notNull(),
      isActive: boolean("is_active").notNull().default(true),
      creatorId: integer("creator_id"),
      settings: text("settings").notNull().default("{}"),
      createdAt: integer("created_at").notNull(),
    },
    (t) => [...identityKey(t.realmId, t.id), uniqueIndex("user_groups_name").on(t.realmId, t.name)],
  );
  const userGroupMembers = table(
    "user_group_members",
    {
      realmId: integer("realm_id").notNull(),
      groupId: integer("group_id").notNull(),
      userId: integer("user_id").notNull(),
    },
    (t) => [
      primaryKey(t.realmId, t.groupId, t.userId),
      index("user_group_members_user").on(t.realmId, t.userId),
    ],
  );
  const userGroupSubgroups = table(
    "user_group_subgroups",
    {
      realmId: integer("realm_id").notNull(),
      groupId: integer("group_id").notNull(),
      subgroupId: integer("subgroup_id").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.groupId, t.subgroupId)],
  );
  return { userGroups, userGroupMembers, userGroupSubgroups };
}
