import { and, eq } from "drizzle-orm";
import { changedFacts } from "../../core/audit";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import { flag, type Input, id, optional, record, text } from "../../core/params";
import {
  type GroupSettingValue,
  givenPermissions,
  groupSettingChangeParameter,
  permissionParameters,
  resolveGroupSetting,
  type StoredGroupSetting,
} from "../../core/rights/group-setting";
import { noteName } from "../../core/text/look-alikes";
import { onlyRow, write } from "../../core/write";
import { groupUpdated } from "../../people/user-groups/events";
import {
  type GivenSettings,
  type UserGroupSettingName,
  userGroupSettings,
} from "../../people/user-groups/group-settings";
import { groupHolders, loadGroupToChange } from "../../people/user-groups/permission";
import type { UserGroupRow } from "../../people/user-groups/queries";
import { checkGroupSettingChange } from "../../people/user-groups/setting-value";
import { renewContext } from "../../people/users/renew-context";
import { systemGroupIds } from "../../people/users/system-group-membership";
import { deactivateGroupIn, reactivateGroupIn } from "./activity";
import {
  cleanGroupDescription,
  cleanGroupName,
  groupFacts,
  requireOwnLook,
  withSettings,
} from "./create";
import { aboutDeactivated } from "./members";

interface GroupChange {
  name?: string | undefined;
  description?: string | undefined;
  /** `{"new": …, "old": …}` as on the wire, by the permission's name. */
  settings?: GivenSettings;
}

export const UpdateUserGroup = record({
  userGroupId: id(),
  name: optional(text()),
  description: optional(text()),
  deactivated: optional(flag()),
  ...permissionParameters(userGroupSettings, groupSettingChangeParameter),
});

/**
 * Changes a group's name, description or permissions; with `deactivated` it also deactivates or
 * reactivates the group (see `activity.ts`). For the rest see `updateGroupIn`. Refuses a request
 * without changes.
 */
export async function updateUserGroup(
  ctx: Context,
  input: Input<typeof UpdateUserGroup>,
): Promise<undefined> {
  const { userGroupId, name, description, deactivated } = input;
  const settings = givenPermissions(userGroupSettings, input);
  if (
    name === undefined &&
    description === undefined &&
    deactivated === undefined &&
    settings.size === 0
  ) {
    throw badRequest(
      "Nothing to change: send a name, a description, a permission or 'deactivated'.",
    );
  }
  await changeGroup(ctx, userGroupId, { name, description, settings, deactivated });
}

/** Changes a group by parsed input. */
export async function changeGroup(
  ctx: Context,
  groupId: number,
  { deactivated, ...change }: GroupChange & { deactivated?: boolean | undefined },
) {
  await write(ctx, async (tx) => {
    const renewed = await renewContext(tx, ctx);
    const { isActive } = await updateGroupIn(tx, renewed, groupId, change);
    if (deactivated === true && isActive) await deactivateGroupIn(tx, renewed, groupId);
    if (deactivated === false && !isActive) await reactivateGroupIn(tx, renewed, groupId);
  });
}

/**
 * Changes a group, as part of a write; answers its row. Events: user_group update, one for each
 * changed property, to the realm. Refuses system groups, an actor who does not manage the group, a
 * name that is in use or looks like one that is, values that a permission may not have, and an
 * `old` that differs from the present value (EXPECTATION_MISMATCH).
 */
export async function updateGroupIn(
  tx: Tx,
  ctx: Context,
  groupId: number,
  change: GroupChange,
): Promise<UserGroupRow> {
  const group = await loadGroupToChange(tx, ctx, groupId, "can_manage_group");
  const { name = group.name, description = group.description, settings = new Map() } = change;
  const texts = {
    name: name === group.name ? name : cleanGroupName(name),
    description: cleanGroupDescription(description),
  };
  if (texts.name !== group.name) await requireOwnLook(tx, group.realmId, texts.name, group.id);
  const values = await changedSettings(tx, group, settings);
  const updated = await storeGroup(tx, group, {
    ...texts,
    settings: withSettings(group.settings, values),
  });
  noteName(tx, "user groups", updated);
  await announce(tx, group, updated, values);
  const changed = changedFacts(groupFacts(group), groupFacts(updated));
  tx.audit(ctx, { action: "group.update", kind: "group", ids: [groupId], ...changed });
  return updated;
}

type SettingValues = Map<UserGroupSettingName, StoredGroupSetting>;

async function changedSettings(
  tx: Tx,
  group: UserGroupRow,
  given: GivenSettings,
): Promise<SettingValues> {
  const values: SettingValues = new Map();
  for (const [name, change] of given) {
    const setting = {
      name,
      permission: userGroupSettings[name],
      current: groupHolders(group, name),
    };
    const value = await checkGroupSettingChange(tx, group.realmId, setting, change);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

async function storeGroup(
  tx: Tx,
  group: UserGroupRow,
  values: Pick<UserGroupRow, "name" | "description" | "settings">,
): Promise<UserGroupRow> {
  const { userGroups } = tx.t;
  const isGroup = and(eq(userGroups.realmId, group.realmId), eq(userGroups.id, group.id));
  return onlyRow(await tx.db.update(userGroups).set(values).where(isGroup).returning());
}

async function announce(
  tx: Tx,
  before: UserGroupRow,
  after: UserGroupRow,
  settings: SettingValues,
) {
  const ids = await systemGroupIds(tx, after.realmId);
  const changes: Record<string, string | GroupSettingValue>[] = [];
  if (after.name !== before.name) changes.push({ name: after.name });
  if (after.description !== before.description) changes.push({ description: after.description });
  for (const [name, value] of settings) changes.push({ [name]: resolveGroupSetting(value, ids) });
  for (const data of changes) {
    await tx.emit(
      { to: "realm" },
      groupUpdated({ group_id: after.id, data, ...aboutDeactivated(after) }),
    );
  }
}
