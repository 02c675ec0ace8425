import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { Schema } from "../../db/schema";
import type { RealmMoment, UserRow } from "../core/context";
import { badRequest } from "../core/errors";
import {
  isSystemGroupName,
  type StoredGroupSetting,
  type SystemGroupName,
  systemGroupNames,
} from "../core/group-setting";
import { roles } from "../core/role";
import { waitingPeriodDays } from "../realm/queries";
import { listUsers } from "../users/queries";

export type UserGroupRow = Schema["userGroups"]["$inferSelect"];

/** A group with the ids of those who are in it directly; people and bots that are deactivated are left out. */
export interface GroupWithMembers {
  group: UserGroupRow;
  memberIds: number[];
  subgroupIds: number[];
}

const daySeconds = 24 * 60 * 60;

const selectSystemGroups = statement((db, t) =>
  db
    .select({ id: t.userGroups.id, name: t.userGroups.name })
    .from(t.userGroups)
    .where(and(eq(t.userGroups.realmId, sql.placeholder("realmId")), eq(t.userGroups.isSystem, true))),
);

const selectGroup = statement((db, t) =>
  db
    .select()
    .from(t.userGroups)
    .where(and(eq(t.userGroups.realmId, sql.placeholder("realmId")), eq(t.userGroups.id, sql.placeholder("groupId")))),
);

const selectGroupByName = statement((db, t) =>
  db
    .select()
    .from(t.userGroups)
    .where(and(eq(t.userGroups.realmId, sql.placeholder("realmId")), eq(t.userGroups.name, sql.placeholder("name")))),
);

/** The ids of the realm's system groups by name (`role:members`, …). */
export async function systemGroupIds(reader: Reader, realmId: number): Promise<Record<string, number>> {
  const rows = await selectSystemGroups(reader, { realmId });
  return Object.fromEntries(rows.map(({ id, name }) => [name, id]));
}

const isFullMember = (user: Pick<UserRow, "createdAt">, days: number, now: number) =>
  user.createdAt + days * daySeconds <= now;

/** The system groups that somebody is in directly, which their role and, for members, the age of the account decide. */
export function directSystemGroups(
  user: Pick<UserRow, "role" | "createdAt">,
  { realm, now }: RealmMoment,
): SystemGroupName[] {
  return groupsOfRole(user, waitingPeriodDays(realm), now);
}

function groupsOfRole(user: Pick<UserRow, "role" | "createdAt">, days: number, now: number): SystemGroupName[] {
  if (user.role <= roles.owner) return ["role:owners"];
  if (user.role <= roles.administrator) return ["role:administrators"];
  if (user.role <= roles.moderator) return ["role:moderators"];
  if (user.role > roles.member) return ["role:everyone"];
  return isFullMember(user, days, now) ? ["role:members", "role:fullmembers"] : ["role:members"];
}

/** Whether somebody is in a system group, directly or because it contains the group that they are in. */
function isInSystemGroup(user: UserRow, name: SystemGroupName, { realm, now }: RealmMoment): boolean {
  switch (name) {
    case "role:internet":
    case "role:everyone":
      return true;
    case "role:members":
      return user.role <= roles.member;
    case "role:fullmembers":
      if (user.role !== roles.member) return user.role < roles.member;
      return isFullMember(user, waitingPeriodDays(realm), now);
    case "role:moderators":
      return user.role <= roles.moderator;
    case "role:administrators":
      return user.role <= roles.administrator;
    case "role:owners":
      return user.role <= roles.owner;
    case "role:nobody":
      return false;
  }
}

/**
 * Whether somebody holds a permission: named directly, or in one of its groups or of their subgroups. A deactivated user
 * holds none. `moment` is the context, or the realm with the UNIX time.
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

/** Goes down from the groups level by level, each group once. */
async function isInGroups(reader: Reader, moment: RealmMoment, user: UserRow, groupIds: number[]): Promise<boolean> {
  const ids = await systemGroupIds(reader, moment.realm.id);
  const systemNames = new Map(systemGroupNames.map((name) => [ids[name], name]));
  const seen = new Set<number>();
  let level = groupIds;
  while (level.length > 0) {
    for (const id of level) seen.add(id);
    const named = level.flatMap((id) => systemNames.get(id) ?? []);
    if (named.some((name) => isInSystemGroup(user, name, moment))) return true;
    const others = level.filter((id) => !systemNames.has(id));
    if (await hasDirectMember(reader, moment.realm.id, others, user.id)) return true;
    level = (await subgroupsOf(reader, moment.realm.id, others)).filter((id) => !seen.has(id));
  }
  return false;
}

async function hasDirectMember(reader: Reader, realmId: number, groupIds: number[], userId: number): Promise<boolean> {
  if (groupIds.length === 0) return false;
  const { t } = reader;
  const { realmId: realm, groupId, userId: member } = t.userGroupMembers;
  const rows = await reader.db
    .select({ groupId })
    .from(t.userGroupMembers)
    .where(and(eq(realm, realmId), inArray(groupId, groupIds), eq(member, userId)))
    .limit(1);
  return rows.length > 0;
}

/** The ids of the groups that some groups contain directly. */
export async function subgroupsOf(reader: Reader, realmId: number, groupIds: number[]): Promise<number[]> {
  if (groupIds.length === 0) return [];
  const { t } = reader;
  const rows = await reader.db
    .select({ subgroupId: t.userGroupSubgroups.subgroupId })
    .from(t.userGroupSubgroups)
    .where(and(eq(t.userGroupSubgroups.realmId, realmId), inArray(t.userGroupSubgroups.groupId, groupIds)));
  return [...new Set(rows.map(({ subgroupId }) => subgroupId))];
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
export async function loadGroup(reader: Reader, realmId: number, groupId: number): Promise<UserGroupRow> {
  const [group] = await selectGroup(reader, { realmId, groupId });
  if (!group) throw badRequest("Invalid user group");
  return group;
}

/** Refuses unless all of these are groups of the realm. */
export async function requireGroups(reader: Reader, realmId: number, groupIds: readonly number[]) {
  const ids = [...new Set(groupIds)];
  if (ids.length === 0) return;
  const { t } = reader;
  const rows = await reader.db
    .select({ id: t.userGroups.id })
    .from(t.userGroups)
    .where(and(eq(t.userGroups.realmId, realmId), inArray(t.userGroups.id, ids)));
  const known = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) throw badRequest(`Invalid user group ID: ${missing.join(", ")}`);
}

/** The ids of the groups made by people that a user is in directly. */
export async function listNamedGroupIdsOf(reader: Reader, realmId: number, userId: number): Promise<number[]> {
  const { t } = reader;
  const { groupId } = t.userGroupMembers;
  const rows = await reader.db
    .select({ groupId })
    .from(t.userGroupMembers)
    .where(and(eq(t.userGroupMembers.realmId, realmId), eq(t.userGroupMembers.userId, userId)))
    .orderBy(asc(groupId));
  return rows.map((row) => row.groupId);
}

/** All groups of the realm with their direct members and subgroups, by id. */
export async function listGroups(reader: Reader, { realm, now }: RealmMoment): Promise<GroupWithMembers[]> {
  const { t } = reader;
  const inRealm = eq(t.userGroups.realmId, realm.id);
  const groups = await reader.db.select().from(t.userGroups).where(inRealm).orderBy(asc(t.userGroups.id));
  const active = (await listUsers(reader, realm.id)).filter(({ isActive }) => isActive);
  const days = waitingPeriodDays(realm);
  const byRole = groupIds(active.flatMap((user) => groupsOfRole(user, days, now).map((name) => [name, user.id])));
  const activeIds = new Set(active.map(({ id }) => id));
  const members = groupIds((await listMemberships(reader, realm.id)).filter(([, userId]) => activeIds.has(userId)));
  const subgroups = groupIds(await listSubgroups(reader, realm.id));
  return groups.map((group) => ({
    group,
    memberIds: (isSystemGroupName(group.name) ? byRole.get(group.name) : members.get(group.id)) ?? [],
    subgroupIds: subgroups.get(group.id) ?? [],
  }));
}

async function listMemberships(reader: Reader, realmId: number): Promise<[number, number][]> {
  const { realmId: realm, groupId, userId } = reader.t.userGroupMembers;
  const rows = await reader.db
    .select({ groupId, userId })
    .from(reader.t.userGroupMembers)
    .where(eq(realm, realmId))
    .orderBy(asc(groupId), asc(userId));
  return rows.map((row) => [row.groupId, row.userId]);
}

async function listSubgroups(reader: Reader, realmId: number): Promise<[number, number][]> {
  const { realmId: realm, groupId, subgroupId } = reader.t.userGroupSubgroups;
  const rows = await reader.db
    .select({ groupId, subgroupId })
    .from(reader.t.userGroupSubgroups)
    .where(eq(realm, realmId))
    .orderBy(asc(groupId), asc(subgroupId));
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
