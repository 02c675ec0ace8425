import { and, eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import type { Context, Tx } from "../../core/context";
import { badRequest, groupInUse } from "../../core/errors";
import { type Input, id, record } from "../../core/params";
import { onlyRow, write } from "../../core/write";
import { groupActivityChanged } from "../../people/user-groups/events";
import { loadGroupToChange } from "../../people/user-groups/permission";
import {
  listDirectSubgroupIds,
  listMemberIds,
  type UserGroupRow,
} from "../../people/user-groups/queries";
import { groupWire } from "../../people/user-groups/wire";
import { renewContext } from "../../people/users/renew-context";
import { systemGroupIds } from "../../people/users/system-group-membership";
import { findUses } from "./uses";

export const DeactivateUserGroup = record({ userGroupId: id() });

/** Deactivates a group; see `deactivateGroupIn`. */
export async function deactivateUserGroup(
  ctx: Context,
  input: Input<typeof DeactivateUserGroup>,
): Promise<undefined> {
  await write(ctx, async (tx) =>
    deactivateGroupIn(tx, await renewContext(tx, ctx), input.userGroupId),
  );
}

/** Reactivates a group, for the operator; see `reactivateGroupIn`. */
export async function reactivateUserGroup(ctx: Context, groupId: number): Promise<void> {
  await write(ctx, async (tx) => reactivateGroupIn(tx, await renewContext(tx, ctx), groupId));
}

/**
 * Deactivates a group, as part of a write. It keeps its name, members and permissions, but cannot
 * be mentioned, nested or given a permission any more. Event: user_group update with `deactivated`,
 * to the realm; user_group remove for clients without deactivated groups. Refuses system groups, a
 * deactivated group, an actor who does not manage it, and a group in use, because a permission
 * would lose its holders (CANNOT_DEACTIVATE_GROUP_IN_USE, with its uses).
 */
export async function deactivateGroupIn(tx: Tx, ctx: Context, groupId: number): Promise<void> {
  const group = await loadGroupToChange(tx, ctx, groupId, "can_manage_group");
  await requireUnused(tx, group);
  await setActive(tx, group, false);
  await tx.emit(
    { to: "realm" },
    groupActivityChanged({ group_id: groupId, data: { deactivated: true } }),
  );
  tx.audit(ctx, { action: "group.deactivate", kind: "group", ids: [groupId] });
}

/**
 * Refuses a deactivated group (BAD_REQUEST), and one in use (CANNOT_DEACTIVATE_GROUP_IN_USE, with
 * its uses).
 */
export async function requireUnused(reader: Reader, group: UserGroupRow): Promise<void> {
  if (!group.isActive) throw badRequest(`The user group '${group.name}' is already deactivated.`);
  const objections = await findUses(reader, group);
  if (objections.length === 0) return;
  throw groupInUse(
    `The user group '${group.name}' is in use. First take it out of the groups and permissions that it is in.`,
    objections,
  );
}

/**
 * Reactivates a group, as part of a write. Event: user_group update with `deactivated`, to the
 * realm; user_group add for clients without deactivated groups. Refuses an active group and an
 * actor who does not manage it.
 */
export async function reactivateGroupIn(tx: Tx, ctx: Context, groupId: number): Promise<void> {
  const group = await loadGroupToChange(tx, ctx, groupId, "can_manage_group");
  if (group.isActive) throw badRequest(`The user group '${group.name}' is active.`);
  const updated = await setActive(tx, group, true);
  const memberIds = await listMemberIds(tx, { realm: ctx.realm, now: tx.now }, updated, false);
  const subgroupIds = await listDirectSubgroupIds(tx, group.realmId, groupId);
  const shown = groupWire(
    { group: updated, memberIds, subgroupIds },
    await systemGroupIds(tx, group.realmId),
  );
  const change = { group_id: groupId, data: { deactivated: false }, group: shown };
  await tx.emit({ to: "realm" }, groupActivityChanged(change));
  tx.audit(ctx, { action: "group.reactivate", kind: "group", ids: [groupId] });
}

async function setActive(tx: Tx, group: UserGroupRow, isActive: boolean): Promise<UserGroupRow> {
  const { userGroups } = tx.t;
  const isGroup = and(eq(userGroups.realmId, group.realmId), eq(userGroups.id, group.id));
  return onlyRow(await tx.db.update(userGroups).set({ isActive }).where(isGroup).returning());
}
