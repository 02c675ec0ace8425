import type {
  GroupSettingValue,
  StoredGroupSetting,
  SystemGroupIds,
} from "../../core/rights/group-setting";
import { resolveGroupSetting } from "../../core/rights/group-setting";
import { resolveUserGroupSettings } from "../../people/user-groups/group-settings";
import { groupsOfRole } from "../../people/users/system-group-membership";
import { waitingPeriodDays } from "../../realm/queries";
import type { ArchiveRow } from "./archive-file";
import { numbered } from "./numbered";
import type { Snapshot } from "./snapshot";

/**
 * Groups without a name, with new ids. In an archive a permission of several people and groups
 * names such a group.
 */
export class PermissionGroups {
  readonly nameless: { id: number; members: number[]; subgroups: number[] }[] = [];

  constructor(
    private readonly systemIds: SystemGroupIds,
    private lastId: number,
  ) {}

  /** The id of the group that holds a permission. A group is made if none exists. */
  idOf(value: StoredGroupSetting): number {
    const resolved: GroupSettingValue = resolveGroupSetting(value, this.systemIds);
    if (typeof resolved === "number") return resolved;
    this.lastId += 1;
    const { direct_members: members, direct_subgroups: subgroups } = resolved;
    this.nameless.push({ id: this.lastId, members, subgroups });
    return this.lastId;
  }

  /** The permissions of a row: ids of groups by the names of the permissions. */
  idsOf = (settings: Readonly<Record<string, StoredGroupSetting>>): ArchiveRow =>
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, this.idOf(value)]));

  get systemGroupIds(): SystemGroupIds {
    return this.systemIds;
  }
}

export async function readPermissionGroups({ reader }: Snapshot): Promise<PermissionGroups> {
  const rows = await reader.db.select().from(reader.t.userGroups);
  const system = rows.filter(({ isSystem }) => isSystem).map(({ id, name }) => [name, id]);
  const lastId = rows.reduce((last, { id }) => Math.max(last, id), 0);
  return new PermissionGroups(Object.fromEntries(system), lastId);
}

/** Rows of the groups that have names. Their permissions may make further groups. */
export async function namedGroups(
  { reader, realm }: Snapshot,
  groups: PermissionGroups,
): Promise<ArchiveRow[]> {
  const rows = await reader.db.select().from(reader.t.userGroups);
  return rows.map((row) => ({
    id: row.id,
    usergroup_ptr: row.id,
    realm_for_sharding: realm.id,
    name: row.name,
    description: row.description,
    is_system_group: row.isSystem,
    creator: row.creatorId,
    date_created: row.createdAt,
    deactivated: !row.isActive,
    ...groups.idsOf(resolveUserGroupSettings(row.settings, groups.systemGroupIds, row.isSystem)),
  }));
}

/**
 * The tables of groups and of their members, including system groups. It is called after all
 * permissions of the archive have been asked for.
 */
export async function groupTables(
  snapshot: Snapshot,
  groups: PermissionGroups,
  named: readonly ArchiveRow[],
  now: number,
): Promise<Record<string, ArchiveRow[]>> {
  const { reader, realm } = snapshot;
  const { db, t } = reader;
  const users = await db.select().from(t.users);
  const members = await db.select().from(t.userGroupMembers);
  const subgroups = await db.select().from(t.userGroupSubgroups);
  const days = waitingPeriodDays(realm);
  const byRole = users
    .filter(({ isSystemBot }) => !isSystemBot)
    .flatMap((user) =>
      groupsOfRole(user, days, now).map((name) => ({
        user_group: groups.systemGroupIds[name],
        user_profile: user.id,
      })),
    );
  return {
    zerver_usergroup: [...named, ...groups.nameless].map(({ id }) => ({ id, realm: realm.id })),
    zerver_namedusergroup: [...named],
    zerver_usergroupmembership: numbered([
      ...byRole,
      ...members.map(({ groupId, userId }) => ({ user_group: groupId, user_profile: userId })),
      ...groups.nameless.flatMap((one) =>
        one.members.map((user_profile) => ({ user_group: one.id, user_profile })),
      ),
    ]),
    zerver_groupgroupmembership: numbered([
      ...subgroups.map(({ groupId, subgroupId }) => ({
        supergroup: groupId,
        subgroup: subgroupId,
      })),
      ...groups.nameless.flatMap((one) =>
        one.subgroups.map((subgroup) => ({ supergroup: one.id, subgroup })),
      ),
    ]),
  };
}
