import { and, eq, inArray, sql } from "drizzle-orm";
import { type Given, statement } from "../../../db/reader";
import { isIn, wantedAt, wantedRows } from "../../../db/sql/json";
import { wholeNumber } from "../../../db/sql/values";
import { changeWithVisibility } from "../../channels/announce-visibility";
import { isSelf } from "../../core/account";
import type { Context, Tx, UserRow } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type Input, id, ids, optional, record } from "../../core/params";
import { write } from "../../core/write";
import {
  groupMembersAdded,
  groupMembersRemoved,
  groupSubgroupsAdded,
  groupSubgroupsRemoved,
} from "../../people/user-groups/events";
import { loadGroupToChange } from "../../people/user-groups/permission";
import {
  listDirectSubgroupIds,
  listGroupsWithin,
  listUserIdsIn,
  requireGroups,
  type UserGroupRow,
} from "../../people/user-groups/queries";
import { findUsersByIds } from "../../people/users/queries";
import { renewContext } from "../../people/users/renew-context";
import { tellAdded, tellRemoved } from "./notices";

/** Ids to add and to remove; ids that need no change are skipped. */
interface IdsChange {
  add: readonly number[];
  remove: readonly number[];
}

export const UpdateSubgroups = record({
  userGroupId: id(),
  add: optional(ids()),
  delete: optional(ids()),
});

export const UpdateGroupMembers = record({
  ...UpdateSubgroups.properties,
  addSubgroups: optional(ids()),
  deleteSubgroups: optional(ids()),
});

/**
 * Adds and removes direct members and subgroups of a group; see `changeGroupMembersIn` and
 * `changeSubgroupsIn`. Refuses a request without changes, adding a member who is one already, and
 * removing one who is not. Adding or removing only oneself needs the right to join or leave.
 */
export async function updateGroupMembers(
  ctx: Context,
  input: Input<typeof UpdateGroupMembers>,
): Promise<undefined> {
  const { userGroupId, add = [], delete: remove = [] } = input;
  const subgroups = { userGroupId, add: input.addSubgroups, delete: input.deleteSubgroups };
  const isAsked = [add, remove, subgroups.add, subgroups.delete].some(
    (list) => (list?.length ?? 0) > 0,
  );
  if (!isAsked) {
    throw badRequest(
      "There is nothing to do: send 'add', 'delete', 'add_subgroups' or 'delete_subgroups'.",
    );
  }
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    if (add.length + remove.length > 0) {
      const memberIds = await listUserIdsIn(tx, ctx.realm.id, [userGroupId]);
      refuseFirst(
        add,
        (userId) => memberIds.has(userId),
        (userId) => `User ${userId} is a member of this group already.`,
      );
      refuseFirst(
        remove,
        (userId) => !memberIds.has(userId),
        (userId) => `User ${userId} is no member of this group.`,
      );
      await changeGroupMembersIn(tx, renewed, userGroupId, { add, remove });
    }
    await changeSubgroupsExactly(tx, renewed, subgroups);
    tx.audit(renewed, { action: "group.change_members", kind: "group", ids: [userGroupId] });
  });
}

/**
 * Adds and removes subgroups of a group; see `changeSubgroupsIn`. Refuses adding one that is in it
 * already, and removing one that is not.
 */
export async function updateSubgroups(
  ctx: Context,
  input: Input<typeof UpdateSubgroups>,
): Promise<undefined> {
  const { add = [], delete: remove = [] } = input;
  if (add.length + remove.length === 0)
    throw badRequest("There is nothing to do: send 'add' or 'delete'.");
  await write(ctx, async (tx) => changeSubgroupsExactly(tx, await renewContext(tx, ctx), input));
}

async function changeSubgroupsExactly(tx: Tx, ctx: Context, input: Input<typeof UpdateSubgroups>) {
  const { userGroupId, add = [], delete: remove = [] } = input;
  if (add.length + remove.length === 0) return;
  const subgroupIds = new Set(await listDirectSubgroupIds(tx, ctx.realm.id, userGroupId));
  refuseFirst(
    add,
    (one) => subgroupIds.has(one),
    (one) => `User group ${one} is a subgroup of this group already.`,
  );
  refuseFirst(
    remove,
    (one) => !subgroupIds.has(one),
    (one) => `User group ${one} is no subgroup of this group.`,
  );
  await changeSubgroupsIn(tx, ctx, userGroupId, { add, remove });
}

function refuseFirst(
  given: readonly number[],
  isWrong: (id: number) => boolean,
  why: (id: number) => string,
) {
  const wrong = given.find(isWrong);
  if (wrong !== undefined) throw badRequest(why(wrong));
}

/**
 * Adds and removes direct members, as part of a write. Events: user_group add_members and
 * remove_members with the changed members, to the realm, and those of `changeWithVisibility`;
 * Notification Bot tells the people among them who did it, except the actor. Refuses system groups,
 * deactivated or missing users, and actors without the right: can_add_members_group to add others,
 * can_remove_members_group to remove them, can_join_group and can_leave_group for oneself.
 */
export async function changeGroupMembersIn(
  tx: Tx,
  ctx: Context,
  groupId: number,
  change: IdsChange,
) {
  const userIds = [...change.add, ...change.remove];
  await changeWithVisibility(tx, ctx, { groupId, userIds }, () =>
    changeMembers(tx, ctx, groupId, change),
  );
  const act = { action: "group.change_members", kind: "group", ids: [groupId] } as const;
  tx.audit(ctx, { ...act, before: removedIds(change), after: addedIds(change) });
}

const removedIds = ({ remove }: IdsChange) => (remove.length === 0 ? {} : { user_ids: remove });
const addedIds = ({ add }: IdsChange) => (add.length === 0 ? {} : { user_ids: add });

async function changeMembers(tx: Tx, ctx: Context, groupId: number, { add, remove }: IdsChange) {
  const isOneself = (userIds: readonly number[]) =>
    userIds.every((userId) => isSelf(ctx.actor, userId));
  if (add.length > 0) {
    const right = isOneself(add) ? "can_join_group" : "can_add_members_group";
    await addMembers(tx, ctx, await loadGroupToChange(tx, ctx, groupId, right), add);
  }
  if (remove.length > 0) {
    const right = isOneself(remove) ? "can_leave_group" : "can_remove_members_group";
    await removeMembers(tx, ctx, await loadGroupToChange(tx, ctx, groupId, right), remove);
  }
}

async function addMembers(tx: Tx, ctx: Context, group: UserGroupRow, userIds: readonly number[]) {
  const users = await loadNewMembers(tx, ctx.realm.id, userIds);
  const added = await insertMembers(
    tx,
    group,
    users.map(({ id: userId }) => userId),
  );
  if (added.length === 0) return;
  const newIds = new Set(added);
  await tellAdded(
    tx,
    ctx,
    group,
    users.filter(({ id: userId }) => newIds.has(userId)),
  );
  const fields = { group_id: group.id, user_ids: added, ...aboutDeactivated(group) };
  await tx.emit({ to: "realm" }, groupMembersAdded(fields));
}

const deleteRows = statement((db, { userGroupMembers: t }, given: Given<Members>, dialect) =>
  db
    .delete(t)
    .where(
      and(
        eq(t.realmId, given.realmId),
        eq(t.groupId, given.groupId),
        isIn(dialect, t.userId, given.userIds),
      ),
    )
    .returning({ userId: t.userId }),
);

async function removeMembers(
  tx: Tx,
  ctx: Context,
  group: UserGroupRow,
  userIds: readonly number[],
) {
  const { realmId, id: groupId } = group;
  const rows = await deleteRows(tx, { realmId, groupId, userIds: JSON.stringify(userIds) });
  if (rows.length === 0) return;
  const removed = ascending(rows.map((row) => row.userId));
  await tellRemoved(tx, ctx, group, await findUsersByIds(tx, group.realmId, removed));
  const fields = { group_id: group.id, user_ids: removed, ...aboutDeactivated(group) };
  await tx.emit({ to: "realm" }, groupMembersRemoved(fields));
}

/**
 * Adds and removes direct subgroups, as part of a write. Events: user_group add_subgroups and
 * remove_subgroups, to the realm, and those of `changeWithVisibility`. Refuses system groups,
 * missing and deactivated groups, a group that would contain itself, and actors without the rights
 * to add and to remove members.
 */
export async function changeSubgroupsIn(tx: Tx, ctx: Context, groupId: number, change: IdsChange) {
  await changeWithVisibility(tx, ctx, { groupId }, () => changeSubgroups(tx, ctx, groupId, change));
  const act = { action: "group.change_subgroups", kind: "group", ids: [groupId] } as const;
  tx.audit(ctx, {
    ...act,
    before: change.remove.length === 0 ? {} : { subgroup_ids: change.remove },
    after: change.add.length === 0 ? {} : { subgroup_ids: change.add },
  });
}

async function changeSubgroups(tx: Tx, ctx: Context, groupId: number, { add, remove }: IdsChange) {
  if (add.length > 0) {
    await addSubgroups(tx, await loadGroupToChange(tx, ctx, groupId, "can_add_members_group"), add);
  }
  if (remove.length > 0) {
    await removeSubgroups(
      tx,
      await loadGroupToChange(tx, ctx, groupId, "can_remove_members_group"),
      remove,
    );
  }
}

/**
 * Adds subgroups to a group, without a check of rights, and announces them: user_group
 * add_subgroups, to the realm.
 */
export async function addSubgroups(tx: Tx, group: UserGroupRow, groupIds: readonly number[]) {
  const { realmId, id: groupId } = group;
  const subgroupIds = distinct(groupIds);
  await requireGroups(tx, realmId, subgroupIds, await listDirectSubgroupIds(tx, realmId, groupId));
  await requireNoCircle(tx, group, subgroupIds);
  const { userGroupSubgroups } = tx.t;
  const rows = await tx.db
    .insert(userGroupSubgroups)
    .values(subgroupIds.map((subgroupId) => ({ realmId, groupId, subgroupId })))
    .onConflictDoNothing()
    .returning({ subgroupId: userGroupSubgroups.subgroupId });
  if (rows.length === 0) return;
  const added = ascending(rows.map(({ subgroupId }) => subgroupId));
  const fields = { group_id: groupId, direct_subgroup_ids: added, ...aboutDeactivated(group) };
  await tx.emit({ to: "realm" }, groupSubgroupsAdded(fields));
}

async function removeSubgroups(tx: Tx, group: UserGroupRow, groupIds: readonly number[]) {
  const { realmId, groupId, subgroupId } = tx.t.userGroupSubgroups;
  const rows = await tx.db
    .delete(tx.t.userGroupSubgroups)
    .where(
      and(
        eq(realmId, group.realmId),
        eq(groupId, group.id),
        inArray(subgroupId, distinct(groupIds)),
      ),
    )
    .returning({ subgroupId });
  if (rows.length === 0) return;
  const removed = ascending(rows.map((row) => row.subgroupId));
  const fields = { group_id: group.id, direct_subgroup_ids: removed, ...aboutDeactivated(group) };
  await tx.emit({ to: "realm" }, groupSubgroupsRemoved(fields));
}

/** Mark in the log of an event about a deactivated group, because not all clients know these. */
export const aboutDeactivated = ({ isActive }: UserGroupRow) =>
  isActive ? {} : { of_deactivated: true };

const distinct = (given: readonly number[]) => [...new Set(given)];
const ascending = (given: readonly number[]) => [...given].sort((a, b) => a - b);

/**
 * Users who may become members, without duplicates; refuses ids that are not of active users of the
 * realm.
 */
export async function loadNewMembers(
  tx: Tx,
  realmId: number,
  userIds: readonly number[],
): Promise<UserRow[]> {
  const users = await findUsersByIds(tx, realmId, distinct(userIds));
  const usable = users.filter(({ isActive, isSystemBot }) => isActive && !isSystemBot);
  const usableIds = new Set(usable.map(({ id: userId }) => userId));
  const refused = distinct(userIds).filter((userId) => !usableIds.has(userId));
  if (refused.length > 0) throw badRequest(`Invalid user ID: ${refused.join(", ")}`);
  return usable;
}

type Members = { realmId: number; groupId: number; userIds: string };

/** The rows are one JSON value, because a statement with a placeholder per member would be long. */
const insertRows = statement((db, t, given: Given<Members>, dialect) =>
  db
    .insert(t.userGroupMembers)
    .select(
      db
        .select({
          realmId: sql<number>`${wholeNumber(dialect, given.realmId)}`.as("realm_id"),
          groupId: sql<number>`${wholeNumber(dialect, given.groupId)}`.as("group_id"),
          userId: sql<number>`${wantedAt(dialect, 0)}`.as("user_id"),
        })
        .from(wantedRows(dialect, given.userIds))
        // Without a WHERE, SQLite would read ON CONFLICT as the condition of a join.
        .where(sql`true`),
    )
    .onConflictDoNothing()
    .returning({ userId: t.userGroupMembers.userId }),
);

/** Answers the new members, by id. */
export async function insertMembers(
  tx: Tx,
  { realmId, id: groupId }: UserGroupRow,
  ids: readonly number[],
) {
  if (ids.length === 0) return [];
  const userIds = JSON.stringify(ids.map((userId) => [userId]));
  const rows = await insertRows(tx, { realmId, groupId, userIds });
  return ascending(rows.map(({ userId }) => userId));
}

/** Refuses subgroups that contain the group itself. */
async function requireNoCircle(tx: Tx, group: UserGroupRow, added: readonly number[]) {
  for (const one of added) {
    const within = await listGroupsWithin(tx, group.realmId, { id: one });
    if (within.some(({ id: groupId }) => groupId === group.id)) {
      throw badRequest(`The group '${group.name}' cannot contain itself.`);
    }
  }
}
