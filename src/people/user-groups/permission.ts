import type { Reader } from "../../../db/reader";
import type { Context } from "../../core/context";
import { badRequest } from "../../core/errors";
import { type StoredGroupSetting, storedGroupSetting } from "../../core/rights/group-setting";
import { holdsRole, roles } from "../../core/rights/role";
import { findUser } from "../users/queries";
import { type UserGroupSettingName, userGroupSettings } from "./group-settings";
import { type Grant, may, requireMay } from "./may";
import { loadGroup, type UserGroupRow } from "./queries";

/** Holders of a group's permission, without a query. */
export const groupHolders = (
  { settings, isSystem }: Pick<UserGroupRow, "settings" | "isSystem">,
  name: UserGroupSettingName,
): StoredGroupSetting =>
  isSystem
    ? (userGroupSettings[name].default_for_system_groups ?? "role:nobody")
    : storedGroupSetting(userGroupSettings, settings, name);

const grantOf = (group: UserGroupRow, name: UserGroupSettingName): Grant => ({
  holders: groupHolders(group, name),
  permission: userGroupSettings[name],
});

/**
 * Permissions that imply others: people who may add others may join, and people who may remove
 * others may leave. Managers of a group may do everything.
 */
const alsoGrants: Partial<Record<UserGroupSettingName, UserGroupSettingName>> = {
  can_join_group: "can_add_members_group",
  can_leave_group: "can_remove_members_group",
};

const notPermitted = () =>
  badRequest(
    "You do not have permission to do this with this user group. Ask somebody who manages it.",
  );

/**
 * A group that the actor may change, by a right of its settings. Refuses (BAD_REQUEST) a missing
 * group, a system group, and an actor who neither holds the right nor manages the group or all
 * groups of the realm.
 */
export async function loadGroupToChange(
  reader: Reader,
  ctx: Context,
  groupId: number,
  right: Exclude<UserGroupSettingName, "can_mention_group">,
): Promise<UserGroupRow> {
  const group = await loadGroup(reader, ctx.realm.id, groupId);
  if (group.isSystem)
    throw badRequest(
      "System groups cannot be changed: their members follow from the users' roles.",
    );
  const names = new Set([right, alsoGrants[right] ?? right, "can_manage_group"] as const);
  await requireMember(reader, ctx);
  await requireMay(
    reader,
    ctx,
    notPermitted,
    { realm: "can_manage_all_groups" },
    ...[...names].map((name) => grantOf(group, name)),
  );
  return group;
}

/**
 * Whether the actor may mention a group, so that its members are notified. Nobody may mention a
 * system group or a deactivated one; a mention of the latter becomes silent. Silent mentions need
 * no permission.
 */
export async function mayMention(
  reader: Reader,
  ctx: Context,
  group: UserGroupRow,
): Promise<boolean> {
  return group.isActive && may(reader, ctx, grantOf(group, "can_mention_group"));
}

/**
 * Refuses guests (BAD_REQUEST), and bots of guests, because a bot has no more rights than its
 * owner.
 */
export async function requireMember(reader: Reader, { actor, realm }: Context) {
  const refusal = () => badRequest("Guests are not allowed to do this.");
  if (!holdsRole(actor, "member")) throw refusal();
  if (!("user" in actor) || actor.user.botOwnerId === null) return;
  const owner = await findUser(reader, realm.id, actor.user.botOwnerId);
  if (owner && owner.role >= roles.guest) throw refusal();
}
