import { and, eq } from "drizzle-orm";
import type { Reader } from "../../../db/reader";
import { filterKnown } from "../../channels/channel-visibility";
import { listStandings } from "../../channels/queries";
import type { Context, Tx } from "../../core/context";
import { badRequest, groupInUse } from "../../core/errors";
import { type Input, id, record } from "../../core/params";
import { onlyRow, write } from "../../core/write";
import { groupActivityChanged } from "../../people/user-groups/events";
import { loadGroupToChange } from "../../people/user-groups/permission";
import {
  listDirectMemberIds,
  listDirectSubgroupIds,
  type UserGroupRow,
} from "../../people/user-groups/queries";
import { groupWire } from "../../people/user-groups/wire";
import { renewContext } from "../../people/users/renew-context";
import { systemGroupIds } from "../../people/users/system-group-membership";
import { findUses, type GroupUse } from "./uses";

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
  await requireUnused(tx, ctx, group);
  await setActive(tx, group, false);
  await tx.emit(
    { to: "realm" },
    groupActivityChanged({ group_id: groupId, data: { deactivated: true } }),
  );
  tx.audit(ctx, { action: "group.deactivate", kind: "group", ids: [groupId] });
}

/**
 * Refuses a deactivated group (BAD_REQUEST), and one in use (CANNOT_DEACTIVATE_GROUP_IN_USE, with
 * its uses). Channels that the actor may not know are not among these uses.
 */
export async function requireUnused(
  reader: Reader,
  ctx: Context,
  group: UserGroupRow,
): Promise<void> {
  if (!group.isActive) throw badRequest(`The user group '${group.name}' is already deactivated.`);
  const uses = await findUses(reader, group);
  if (uses.length === 0) return;
  const objections = await withoutHidden(reader, ctx, uses);
  const remedy =
    objections.length === uses.length
      ? "First take it out of the groups and permissions that it is in."
      : "Some of its uses are in channels that you cannot see. Ask an administrator to take it out of all groups and permissions first.";
  throw groupInUse(`The user group '${group.name}' is in use. ${remedy}`, objections);
}

/** The uses of a group, except those in channels that the actor may not know. */
async function withoutHidden(reader: Reader, ctx: Context, uses: GroupUse[]): Promise<GroupUse[]> {
  const { actor, realm } = ctx;
  if (!("user" in actor)) return uses;
  const standings = await listStandings(reader, realm.id, actor.user.id);
  const moment = { realm, now: ctx.now };
  const shown = await filterKnown(reader, moment, actor.user, standings);
  const shownIds = new Set(shown.map(({ channel }) => channel.id));
  return uses.filter((use) => use.type !== "channel" || shownIds.has(use.channel_id));
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
  const memberIds = await listDirectMemberIds(tx, { realm: ctx.realm, now: tx.now }, updated);
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
