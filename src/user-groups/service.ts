import { and, eq, inArray } from "drizzle-orm";
import type { Context, Tx } from "../core/context";
import { badRequest } from "../core/errors";
import { cleanName, cleanText } from "../core/name";
import { flag, type Input, optional, record } from "../core/params";
import { findUsersByIds } from "../users/queries";
import {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  groupSubgroupsAdded,
  groupSubgroupsRemoved,
  groupUpdated,
} from "./events";
import { userGroupCreatorSettings } from "./group-settings";
import { listGroups, loadGroup, requireGroups, subgroupsOf, systemGroupIds, type UserGroupRow } from "./queries";
import { groupWire } from "./wire";

const nameLengthMax = 100;
const descriptionLengthMax = 1024;
/** They would be taken for something else where a mention or a permission names the group. */
const reservedPrefixes = ["@", "role:", "user:", "stream:", "channel:"];

export const GetUserGroups = record({ includeDeactivatedGroups: optional(flag()) });

/** The realm's groups, by id: system groups, those made by people and, when asked for, the deactivated ones. */
export async function getUserGroups(ctx: Context, input: Input<typeof GetUserGroups>) {
  const ids = await systemGroupIds(ctx.reader, ctx.realm.id);
  const groups = await listGroups(ctx.reader, ctx);
  const shown = groups.filter(({ group }) => group.isActive || input.includeDeactivatedGroups === true);
  return { user_groups: shown.map((group) => groupWire(group, ids)) };
}

/** What a group is made of; ids are of users and groups of the realm. */
export interface NewGroup {
  name: string;
  description: string;
  memberIds: readonly number[];
  subgroupIds: readonly number[];
}

export interface GroupChange {
  name?: string;
  description?: string;
}

/** Which ids come and which go; what is there already, or is not, is passed over. */
export interface IdsChange {
  add: readonly number[];
  remove: readonly number[];
}

/** A group's name as it is stored; refuses one that is blank, too long, or begins like something else. */
export function cleanGroupName(name: string): string {
  const cleaned = cleanName("The group's name", name, nameLengthMax);
  const prefix = reservedPrefixes.find((one) => cleaned.startsWith(one));
  if (prefix !== undefined) throw badRequest(`The group's name must not begin with '${prefix}'.`);
  return cleaned;
}

/**
 * The part of making a group that runs in a write; answers its row. A person who makes it manages it.
 * Event: user_group add, to the realm. Refuses a name in use, and users and groups that do not exist (BAD_REQUEST).
 */
export async function createGroupIn(tx: Tx, ctx: Context, input: NewGroup): Promise<UserGroupRow> {
  const { t } = tx;
  const memberIds = await requireMembers(tx, ctx.realm.id, input.memberIds);
  const subgroupIds = distinct(input.subgroupIds);
  await requireGroups(tx, ctx.realm.id, subgroupIds);
  const creatorId = "user" in ctx.actor ? ctx.actor.user.id : null;
  const name = cleanGroupName(input.name);
  const [group] = await tx.db
    .insert(t.userGroups)
    .values({
      realmId: ctx.realm.id,
      name,
      description: cleanText("The group's description", input.description, descriptionLengthMax),
      isSystem: false,
      creatorId,
      settings: JSON.stringify(creatorId === null ? {} : userGroupCreatorSettings(creatorId)),
      createdAt: tx.now,
    })
    .onConflictDoNothing()
    .returning();
  if (!group) throw nameInUse(name);
  await insertMembers(tx, group, memberIds);
  await insertSubgroups(tx, group, subgroupIds);
  const ids = await systemGroupIds(tx, ctx.realm.id);
  await tx.emit({ to: "realm" }, groupAdded({ group: groupWire({ group, memberIds, subgroupIds }, ids) }));
  return group;
}

/**
 * The part of renaming or describing a group that runs in a write. Event: user_group update with what changed, to the
 * realm; none when nothing did. Refuses system groups and a name in use.
 */
export async function updateGroupIn(tx: Tx, ctx: Context, groupId: number, change: GroupChange) {
  const { t } = tx;
  const group = await loadNamedGroup(tx, ctx.realm.id, groupId);
  const data = changedFields(group, change);
  if (Object.keys(data).length === 0) return;
  if (data.name !== undefined) await requireFreeName(tx, ctx.realm.id, data.name);
  await tx.db.update(t.userGroups).set(data).where(isGroup(tx, group)).returning({ id: t.userGroups.id });
  await tx.emit({ to: "realm" }, groupUpdated({ group_id: groupId, data }));
}

function changedFields(group: UserGroupRow, { name, description }: GroupChange): GroupChange {
  const newName = name === undefined ? group.name : cleanGroupName(name);
  const newDescription = cleanText("The group's description", description ?? group.description, descriptionLengthMax);
  return {
    ...(newName === group.name ? {} : { name: newName }),
    ...(newDescription === group.description ? {} : { description: newDescription }),
  };
}

/**
 * The part of adding and removing direct members that runs in a write. Events: user_group add_members and
 * remove_members with those who came and went, to the realm. Refuses system groups, and deactivated or unknown users.
 */
export async function changeGroupMembersIn(tx: Tx, ctx: Context, groupId: number, { add, remove }: IdsChange) {
  const { t } = tx;
  const group = await loadNamedGroup(tx, ctx.realm.id, groupId);
  const added = await insertMembers(tx, group, await requireMembers(tx, ctx.realm.id, add));
  const { realmId, groupId: ofGroup, userId } = t.userGroupMembers;
  const removed =
    remove.length === 0
      ? []
      : await tx.db
          .delete(t.userGroupMembers)
          .where(and(eq(realmId, ctx.realm.id), eq(ofGroup, groupId), inArray(userId, distinct(remove))))
          .returning({ userId });
  const removedIds = removed.map((row) => row.userId);
  if (added.length > 0) await tx.emit({ to: "realm" }, groupMembersAdded({ group_id: groupId, user_ids: added }));
  if (removedIds.length > 0) {
    await tx.emit({ to: "realm" }, groupMembersRemoved({ group_id: groupId, user_ids: removedIds }));
  }
}

/**
 * The part of adding and removing direct subgroups that runs in a write. Events: user_group add_subgroups and
 * remove_subgroups, to the realm. Refuses system groups, unknown groups, and a group that would contain itself.
 */
export async function changeSubgroupsIn(tx: Tx, ctx: Context, groupId: number, { add, remove }: IdsChange) {
  const { t } = tx;
  const group = await loadNamedGroup(tx, ctx.realm.id, groupId);
  await requireGroups(tx, ctx.realm.id, add);
  await requireNoCircle(tx, group, add);
  const added = await insertSubgroups(tx, group, distinct(add));
  const { realmId, groupId: ofGroup, subgroupId } = t.userGroupSubgroups;
  const removed =
    remove.length === 0
      ? []
      : await tx.db
          .delete(t.userGroupSubgroups)
          .where(and(eq(realmId, ctx.realm.id), eq(ofGroup, groupId), inArray(subgroupId, distinct(remove))))
          .returning({ subgroupId });
  const removedIds = removed.map((row) => row.subgroupId);
  if (added.length > 0) {
    await tx.emit({ to: "realm" }, groupSubgroupsAdded({ group_id: groupId, direct_subgroup_ids: added }));
  }
  if (removedIds.length > 0) {
    await tx.emit({ to: "realm" }, groupSubgroupsRemoved({ group_id: groupId, direct_subgroup_ids: removedIds }));
  }
}

const distinct = (ids: readonly number[]) => [...new Set(ids)];

const nameInUse = (name: string) => badRequest(`There is a user group '${name}' already.`);

const isGroup = ({ t }: Tx, { realmId, id }: UserGroupRow) =>
  and(eq(t.userGroups.realmId, realmId), eq(t.userGroups.id, id));

async function requireFreeName(tx: Tx, realmId: number, name: string) {
  const { t } = tx;
  const taken = await tx.db
    .select({ id: t.userGroups.id })
    .from(t.userGroups)
    .where(and(eq(t.userGroups.realmId, realmId), eq(t.userGroups.name, name)));
  if (taken.length > 0) throw nameInUse(name);
}

async function loadNamedGroup(tx: Tx, realmId: number, groupId: number): Promise<UserGroupRow> {
  const group = await loadGroup(tx, realmId, groupId);
  if (group.isSystem) throw badRequest("System groups cannot be changed: their members follow from the users' roles.");
  return group;
}

/** The ids once each; refuses those that are not of active users of the realm. */
async function requireMembers(tx: Tx, realmId: number, userIds: readonly number[]): Promise<number[]> {
  const ids = distinct(userIds);
  const users = await findUsersByIds(tx, realmId, ids);
  const usable = new Set(users.filter(({ isActive, isSystemBot }) => isActive && !isSystemBot).map(({ id }) => id));
  const refused = ids.filter((id) => !usable.has(id));
  if (refused.length > 0) throw badRequest(`Invalid user ID: ${refused.join(", ")}`);
  return ids;
}

/** Goes down from what is to be added: the group itself must not be there. */
async function requireNoCircle(tx: Tx, group: UserGroupRow, added: readonly number[]) {
  const seen = new Set<number>();
  let level = distinct(added);
  while (level.length > 0) {
    for (const id of level) seen.add(id);
    if (seen.has(group.id)) throw badRequest(`The group '${group.name}' cannot contain itself.`);
    level = (await subgroupsOf(tx, group.realmId, level)).filter((id) => !seen.has(id));
  }
}

/** Answers who was not a member before. */
async function insertMembers(tx: Tx, { realmId, id: groupId }: UserGroupRow, userIds: number[]): Promise<number[]> {
  if (userIds.length === 0) return [];
  const { userGroupMembers } = tx.t;
  const rows = await tx.db
    .insert(userGroupMembers)
    .values(userIds.map((userId) => ({ realmId, groupId, userId })))
    .onConflictDoNothing()
    .returning({ userId: userGroupMembers.userId });
  return rows.map(({ userId }) => userId);
}

async function insertSubgroups(tx: Tx, { realmId, id: groupId }: UserGroupRow, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const { userGroupSubgroups } = tx.t;
  const rows = await tx.db
    .insert(userGroupSubgroups)
    .values(ids.map((subgroupId) => ({ realmId, groupId, subgroupId })))
    .onConflictDoNothing()
    .returning({ subgroupId: userGroupSubgroups.subgroupId });
  return rows.map(({ subgroupId }) => subgroupId);
}
