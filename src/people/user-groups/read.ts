import { type Static, Type } from "@sinclair/typebox";
import type { Context } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, id, optional, record } from "../../core/params";
import { findUser } from "../users/queries";
import { systemGroupIds } from "../users/system-group-membership";
import { requireMember } from "./permission";
import {
  listDirectMemberIds,
  listDirectSubgroupIds,
  listGroups,
  listGroupsWithin,
  listMemberIds,
  loadGroup,
} from "./queries";
import { groupObject, groupWire } from "./wire";

export const GetUserGroups = record({ includeDeactivatedGroups: optional(flag()) });

export const UserGroupList = record({ user_groups: Type.Array(groupObject) });

/**
 * The realm's groups, by id: system groups, those made by people and, on request, the deactivated
 * ones. Refuses guests, as all reads of groups do, because they get groups only in `register`.
 */
export async function getUserGroups(
  ctx: Context,
  input: Input<typeof GetUserGroups>,
): Promise<Static<typeof UserGroupList>> {
  await requireMember(ctx.reader, ctx);
  const ids = await systemGroupIds(ctx.reader, ctx.realm.id);
  const groups = await listGroups(ctx.reader, ctx);
  const shown = groups.filter(
    ({ group }) => group.isActive || input.includeDeactivatedGroups === true,
  );
  return { user_groups: shown.map((group) => groupWire(group, ids)) };
}

export const GetGroupMembers = record({ userGroupId: id(), directMemberOnly: optional(flag()) });

/** The ids of the active people and bots in a group, including members of subgroups by default. */
export async function getGroupMembers(
  ctx: Context,
  { userGroupId, directMemberOnly = false }: Input<typeof GetGroupMembers>,
): Promise<{ members: number[] }> {
  await requireMember(ctx.reader, ctx);
  const group = await loadGroup(ctx.reader, ctx.realm.id, userGroupId);
  const list = directMemberOnly ? listDirectMemberIds : listMemberIds;
  return { members: await list(ctx.reader, ctx, group) };
}

export const GetIsGroupMember = record({
  userGroupId: id(),
  userId: id(),
  directMemberOnly: optional(flag()),
});

/** Whether a person or a bot is in a group. Refuses a missing group or user. */
export async function getIsGroupMember(
  ctx: Context,
  { userId, ...input }: Input<typeof GetIsGroupMember>,
): Promise<{ is_user_group_member: boolean }> {
  const { members } = await getGroupMembers(ctx, input);
  if (!(await findUser(ctx.reader, ctx.realm.id, userId))) throw badRequest("No such user");
  return { is_user_group_member: members.includes(userId) };
}

export const GetSubgroups = record({ userGroupId: id(), directSubgroupOnly: optional(flag()) });

/** The ids of the groups that a group contains, including those within its subgroups by default. */
export async function getSubgroups(
  ctx: Context,
  { userGroupId, directSubgroupOnly = false }: Input<typeof GetSubgroups>,
): Promise<{ subgroups: number[] }> {
  const { reader, realm } = ctx;
  await requireMember(reader, ctx);
  const group = await loadGroup(reader, realm.id, userGroupId);
  if (directSubgroupOnly)
    return { subgroups: await listDirectSubgroupIds(reader, realm.id, group.id) };
  const [, ...within] = await listGroupsWithin(reader, realm.id, group);
  return { subgroups: within.map(({ id: groupId }) => groupId) };
}
