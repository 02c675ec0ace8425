import { and, asc, eq, exists, inArray, or, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";
import type { Schema } from "../../../db/schema";
import { isIn, listOf, parseNumbers } from "../../../db/sql/json";
import type { RealmMoment, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { isSystemGroupName, type StoredGroupSetting } from "../../core/rights/group-setting";
import { roles } from "../../core/rights/role";
import { cached } from "../../memory/cached";
import { waitingPeriodDays } from "../../realm/queries";
import { listUsers } from "../users/queries";
import {
  directSystemGroups,
  groupsOfRole,
  isFullMember,
  isInSystemGroup,
} from "../users/system-group-membership";

export type UserGroupRow = Schema["userGroups"]["$inferSelect"];

/** Name and kind of a group. */
export type GroupName = Pick<UserGroupRow, "id" | "name" | "isSystem">;

/** A group with the ids of its direct members; deactivated people and bots are left out. */
export interface GroupWithMembers {
  group: UserGroupRow;
  memberIds: number[];
  subgroupIds: number[];
}

const selectGroup = statement((db, t, given: Given<{ realmId: number; groupId: number }>) =>
  db
    .select()
    .from(t.userGroups)
    .where(and(eq(t.userGroups.realmId, given.realmId), eq(t.userGroups.id, given.groupId))),
);

const selectGroupByName = statement((db, t, given: Given<{ realmId: number; name: string }>) =>
  db
    .select()
    .from(t.userGroups)
    .where(and(eq(t.userGroups.realmId, given.realmId), eq(t.userGroups.name, given.name))),
);

/**
 * The ids of the groups that a group contains, directly or indirectly, and its own, without
 * duplicates. Cross joins force the database to join in this order, from a group down, by the keys.
 */
const withinGroup = (t: Schema, given: Given<{ realmId: number; groupId: number }>) => sql`(
  with recursive contained(id) as (
    select cast(${given.groupId} as bigint)
    union
    select links.subgroup_id from contained cross join ${t.userGroupSubgroups} links
    where links.group_id = contained.id and links.realm_id = ${given.realmId}
  )
  select id from contained
) within_group`;

const isWithin = (t: Schema, given: Given<{ realmId: number }>) =>
  and(eq(t.userGroups.id, sql`within_group.id`), eq(t.userGroups.realmId, given.realmId));

const selectWithin = statement((db, t, given: Given<{ realmId: number; groupId: number }>) =>
  db
    .select({ id: t.userGroups.id, name: t.userGroups.name, isSystem: t.userGroups.isSystem })
    .from(withinGroup(t, given))
    .crossJoin(t.userGroups)
    .where(isWithin(t, given))
    .orderBy(asc(t.userGroups.id)),
);

/** Among the groups within a group, the system groups and those that somebody is in directly. */
const selectHolding = statement(
  (db, t, given: Given<{ realmId: number; userId: number; groupId: number }>) => {
    const { realmId, groupId, userId } = t.userGroupMembers;
    const isMembership = and(
      eq(realmId, given.realmId),
      eq(groupId, t.userGroups.id),
      eq(userId, given.userId),
    );
    const membership = db.select({ userId }).from(t.userGroupMembers).where(isMembership);
    return db
      .select({ name: t.userGroups.name, isSystem: t.userGroups.isSystem })
      .from(withinGroup(t, given))
      .crossJoin(t.userGroups)
      .where(and(isWithin(t, given), or(eq(t.userGroups.isSystem, true), exists(membership))));
  },
);

/**
 * Whether somebody holds a permission: named directly, or as a member of one of its groups or their
 * subgroups. A deactivated user holds none. `moment` is the context, or the realm with the UNIX
 * time.
 */
export async function isInGroupSetting(
  reader: Reader,
  moment: RealmMoment,
  user: UserRow,
  value: StoredGroupSetting,
): Promise<boolean> {
  if (!user.isActive) return false;
  if (typeof value === "string") return isInSystemGroup(user, value, moment);
  const { direct_members: members, direct_subgroups: groups } =
    typeof value === "number" ? { direct_members: [], direct_subgroups: [value] } : value;
  if (members.includes(user.id)) return true;
  return groups.length > 0 && isInGroups(reader, moment, user, groups);
}

/**
 * The ids of the active people and bots who hold a permission, among `users` if given, in a few
 * queries for any number of them.
 */
export async function listHolderIds(
  reader: Reader,
  moment: RealmMoment,
  value: StoredGroupSetting,
  users?: readonly UserRow[],
): Promise<ReadonlySet<number>> {
  const { id: realmId } = moment.realm;
  const groupIds =
    typeof value === "object" ? value.direct_subgroups : typeof value === "number" ? [value] : [];
  const groups = (
    await Promise.all(groupIds.map((id) => listGroupsWithin(reader, realmId, { id })))
  ).flat();
  const names = groups.flatMap(({ name, isSystem }) =>
    isSystem && isSystemGroupName(name) ? [name] : [],
  );
  if (typeof value === "string") names.push(value);
  const namedGroupIds = groups.filter(({ isSystem }) => !isSystem).map(({ id }) => id);
  const named = await listUserIdsIn(
    reader,
    realmId,
    namedGroupIds,
    users?.map(({ id }) => id),
  );
  if (typeof value === "object") for (const id of value.direct_members) named.add(id);
  const holds = (user: UserRow) =>
    named.has(user.id) || names.some((name) => isInSystemGroup(user, name, moment));
  const asked = users ?? (await listUsers(reader, realmId));
  return new Set(asked.filter((user) => user.isActive && holds(user)).map(({ id }) => id));
}

/** One query for each of the groups, at any depth of nesting. */
async function isInGroups(
  reader: Reader,
  moment: RealmMoment,
  user: UserRow,
  groupIds: number[],
): Promise<boolean> {
  const values = { realmId: moment.realm.id, userId: user.id };
  const found = await Promise.all(
    groupIds.map((groupId) => selectHolding(reader, { ...values, groupId })),
  );
  return found.flat().some(({ name, isSystem }) => {
    if (!isSystem) return true;
    return isSystemGroupName(name) && isInSystemGroup(user, name, moment);
  });
}

/**
 * The groups that a group contains, directly or indirectly, by id; the group itself is the first.
 */
export async function listGroupsWithin(
  reader: Reader,
  realmId: number,
  group: { id: number },
): Promise<GroupName[]> {
  const rows = await selectWithin(reader, { realmId, groupId: group.id });
  return [...rows.filter(({ id }) => id === group.id), ...rows.filter(({ id }) => id !== group.id)];
}

/** The ids of the groups that a group contains directly, ascending. */
export async function listDirectSubgroupIds(
  reader: Reader,
  realmId: number,
  groupId: number,
): Promise<number[]> {
  const { realmId: realm, groupId: ofGroup, subgroupId } = reader.t.userGroupSubgroups;
  const rows = await reader.db
    .select({ subgroupId })
    .from(reader.t.userGroupSubgroups)
    .where(and(eq(realm, realmId), eq(ofGroup, groupId)))
    .orderBy(asc(subgroupId));
  return rows.map((row) => row.subgroupId);
}

/** A group by its exact name. */
export async function findGroupByName(
  reader: Reader,
  realmId: number,
  name: string,
): Promise<UserGroupRow | undefined> {
  const [group] = await selectGroupByName(reader, { realmId, name });
  return group;
}

/** A group by id; refuses an id that is not of this realm. */
export async function loadGroup(
  reader: Reader,
  realmId: number,
  groupId: number,
): Promise<UserGroupRow> {
  const [group] = await selectGroup(reader, { realmId, groupId });
  if (!group) throw badRequest("Invalid user group");
  return group;
}

/**
 * Refuses ids that are not active groups of the realm. Groups in `kept` may be deactivated, because
 * they are already in their place.
 */
export async function requireGroups(
  reader: Reader,
  realmId: number,
  groupIds: readonly number[],
  kept: readonly number[] = [],
) {
  const ids = [...new Set(groupIds)];
  if (ids.length === 0) return;
  const { t } = reader;
  const rows = await reader.db
    .select({ id: t.userGroups.id, name: t.userGroups.name, isActive: t.userGroups.isActive })
    .from(t.userGroups)
    .where(and(eq(t.userGroups.realmId, realmId), inArray(t.userGroups.id, ids)));
  const existingIds = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !existingIds.has(id));
  if (missing.length > 0) throw badRequest(`Invalid user group ID: ${missing.join(", ")}`);
  const inactive = rows.find(({ id, isActive }) => !isActive && !kept.includes(id));
  if (inactive)
    throw badRequest(`The user group '${inactive.name}' is deactivated. Reactivate it to use it.`);
}

/** The groups made by people that a user is in directly, including deactivated ones, by id. */
export async function listNamedGroupsOf(
  reader: Reader,
  realmId: number,
  userId: number,
): Promise<Pick<UserGroupRow, "id" | "isActive">[]> {
  const { userGroups, userGroupMembers } = reader.t;
  return reader.db
    .select({ id: userGroups.id, isActive: userGroups.isActive })
    .from(userGroupMembers)
    .innerJoin(
      userGroups,
      and(eq(userGroups.realmId, realmId), eq(userGroups.id, userGroupMembers.groupId)),
    )
    .where(and(eq(userGroupMembers.realmId, realmId), eq(userGroupMembers.userId, userId)))
    .orderBy(asc(userGroups.id));
}

/**
 * The ids of direct members of some groups made by people; includes deactivated users, because they
 * may come back. With `among`, only these are searched.
 */
export async function listUserIdsIn(
  reader: Reader,
  realmId: number,
  groupIds: readonly number[],
  among?: readonly number[],
): Promise<Set<number>> {
  if (groupIds.length === 0) return new Set();
  const { realmId: realm, groupId, userId } = reader.t.userGroupMembers;
  const isAsked = among && isIn(reader.dialect, userId, sql`${JSON.stringify(among)}`);
  const rows = await reader.db
    .select({ userId })
    .from(reader.t.userGroupMembers)
    .where(and(eq(realm, realmId), inArray(groupId, [...groupIds]), isAsked));
  return new Set(rows.map((row) => row.userId));
}

/** Members of a group, also through the groups that it contains. Active people and bots, by id. */
export const listMemberIds = async (
  reader: Reader,
  moment: RealmMoment,
  { id }: Pick<GroupName, "id">,
): Promise<number[]> => [...(await listHolderIds(reader, moment, id))];

/** Members of a group itself, without those of the groups that it contains; see `listMemberIds`. */
export async function listDirectMemberIds(
  reader: Reader,
  moment: RealmMoment,
  { id: groupId, name, isSystem }: GroupName,
): Promise<number[]> {
  const named = isSystem ? new Set() : await listUserIdsIn(reader, moment.realm.id, [groupId]);
  const isIn = (user: UserRow) =>
    isSystem ? directSystemGroups(user, moment).some((one) => one === name) : named.has(user.id);
  const users = await listUsers(reader, moment.realm.id);
  return users.filter((user) => user.isActive && isIn(user)).map(({ id }) => id);
}

/**
 * All groups, with every member as a full member, the members whose waiting period may not be
 * over, and the time when the newest of them came.
 */
const groupsAndMembers = cached(
  ["user_groups", "user_group_members", "user_group_subgroups", "users"],
  async (reader, realmId) => {
    const groups = await selectGroups(reader, { realmId });
    const active = (await listUsers(reader, realmId)).filter(({ isActive }) => isActive);
    const byRole = groupIds(
      active.flatMap((user) => groupsOfRole(user, 0, Infinity).map((name) => [name, user.id])),
    );
    const activeIds = new Set(active.map(({ id }) => id));
    const joined = await memberships(reader, realmId);
    const activeOf = (groupId: number) =>
      (joined.get(groupId) ?? []).filter((userId) => activeIds.has(userId));
    const subgroups = groupIds(await listSubgroups(reader, realmId));
    const described = groups.map(
      (group): GroupWithMembers => ({
        group,
        memberIds: isSystemGroupName(group.name)
          ? (byRole.get(group.name) ?? [])
          : activeOf(group.id),
        subgroupIds: subgroups.get(group.id) ?? [],
      }),
    );
    const members = active.filter(({ role }) => role === roles.member);
    const newest = members.reduce((at, { createdAt }) => Math.max(at, createdAt), 0);
    return { groups: described, members, newest };
  },
);

/** All groups of the realm with their direct members and subgroups, by id. */
export async function listGroups(
  reader: Reader,
  { realm, now }: RealmMoment,
): Promise<readonly GroupWithMembers[]> {
  const { groups, members, newest } = await groupsAndMembers(reader, realm.id);
  const days = waitingPeriodDays(realm);
  if (isFullMember({ createdAt: newest }, days, now)) return groups;
  const full = members.filter((user) => isFullMember(user, days, now));
  if (full.length === members.length) return groups;
  const memberIds = full.map(({ id }) => id);
  const isOfFull = ({ group }: GroupWithMembers) =>
    group.isSystem && group.name === "role:fullmembers";
  return groups.map((one) => (isOfFull(one) ? { ...one, memberIds } : one));
}

const selectGroups = statement((db, { userGroups }, given: Given<{ realmId: number }>) =>
  db
    .select()
    .from(userGroups)
    .where(eq(userGroups.realmId, given.realmId))
    .orderBy(asc(userGroups.id)),
);

const selectMemberships = statement(
  (db, { userGroupMembers: t }, given: Given<{ realmId: number }>, dialect) =>
    db
      .select({ groupId: t.groupId, userIds: listOf(dialect, sql`${t.userId}`) })
      .from(t)
      .where(eq(t.realmId, given.realmId))
      .groupBy(t.groupId),
);

/**
 * The ids of direct members by group, ascending, including deactivated ones. Apart from the users,
 * because these change much more often.
 */
const memberships = cached(
  ["user_group_members"],
  async (reader, realmId): Promise<ReadonlyMap<number, readonly number[]>> => {
    const rows = await selectMemberships(reader, { realmId });
    return new Map(
      rows.map(({ groupId, userIds }) => [groupId, parseNumbers(userIds).sort((a, b) => a - b)]),
    );
  },
);

const selectSubgroups = statement(
  (db, { userGroupSubgroups: t }, given: Given<{ realmId: number }>) =>
    db
      .select({ groupId: t.groupId, subgroupId: t.subgroupId })
      .from(t)
      .where(eq(t.realmId, given.realmId))
      .orderBy(asc(t.groupId), asc(t.subgroupId)),
);

async function listSubgroups(reader: Reader, realmId: number): Promise<[number, number][]> {
  const rows = await selectSubgroups(reader, { realmId });
  return rows.map((row) => [row.groupId, row.subgroupId]);
}

function groupIds<Key>(pairs: readonly (readonly [Key, number])[]): Map<Key, number[]> {
  const grouped = new Map<Key, number[]>();
  for (const [key, id] of pairs) {
    const ids = grouped.get(key);
    if (ids) ids.push(id);
    else grouped.set(key, [id]);
  }
  return grouped;
}
