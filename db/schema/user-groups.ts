import type { Columns } from "./columns";
import { idOf, lines, person, personOrNull, uniqueName } from "./traits";

/**
 * User groups. The members of a system group follow from the users' roles and have no rows.
 * `settings` is a JSON object of group-setting values by name (`can_mention_group`, …) that differ
 * from their defaults.
 */
export const userGroupTables = (columns: Columns) => ({
  userGroups: userGroupsTable(columns),
  userGroupMembers: userGroupMembersTable(columns),
  userGroupSubgroups: userGroupSubgroupsTable(columns),
});

const userGroupsTable = ({
  table,
  identity,
  identityKey,
  integer,
  text,
  boolean,
  uniqueIndex,
}: Columns) =>
  table(
    "user_groups",
    {
      of: "realm",
      exported: true,
      holds: {
        creatorId: personOrNull,
        name: uniqueName("Group"),
        description: lines,
        settings: { is: "groupSettings" },
      },
      onPersonDeleted: { keep: "others are in the group" },
    },
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

const userGroupMembersTable = ({ table, integer, index, primaryKey }: Columns) =>
  table(
    "user_group_members",
    {
      of: "realm",
      exported: true,
      holds: { groupId: idOf("user_groups"), userId: person },
      onPersonDeleted: { keep: "a deactivated account stays in its groups" },
    },
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

const userGroupSubgroupsTable = ({ table, integer, primaryKey }: Columns) =>
  table(
    "user_group_subgroups",
    {
      of: "realm",
      exported: true,
      holds: { groupId: idOf("user_groups"), subgroupId: idOf("user_groups") },
    },
    {
      realmId: integer("realm_id").notNull(),
      groupId: integer("group_id").notNull(),
      subgroupId: integer("subgroup_id").notNull(),
    },
    (t) => [primaryKey(t.realmId, t.groupId, t.subgroupId)],
  );
