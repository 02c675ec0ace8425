import type { Reader } from "../../../db/reader";
import { badRequest, expectationMismatch, systemGroupRequired } from "../../core/errors";
import {
  canonicalGroupSetting,
  type GroupPermission,
  type GroupSettingValue,
  groupSettingRefusal,
  isGroupSettingValue,
  isStoredGroupSetting,
  readGroupSettingChange,
  resolveGroupSetting,
  type StoredGroupSetting,
  type SystemGroupIds,
  storableGroupSetting,
} from "../../core/rights/group-setting";
import { findUsersByIds } from "../users/queries";
import { systemGroupIds } from "../users/system-group-membership";
import { requireGroups } from "./queries";

/** A permission of the realm, a channel or a group, whose value is given. */
interface SettingToGive {
  name: string;
  permission: GroupPermission;
  /** Present value: users and groups in it may stay even if they are deactivated now. */
  current?: StoredGroupSetting;
}

/**
 * The stored form of a given value of a permission. Refuses (BAD_REQUEST) an invalid value, one
 * that the permission may not have, and missing or deactivated users and groups; where it requires
 * a system group, everything else with SYSTEM_GROUP_REQUIRED. Source:
 * `docs/protocol/specification.md`, Group-setting value.
 */
export async function checkGroupSetting(
  reader: Reader,
  realmId: number,
  { name, permission, current }: SettingToGive,
  given: unknown,
): Promise<StoredGroupSetting> {
  const ids = await systemGroupIds(reader, realmId);
  if (isGroupSettingValue(given)) {
    requireFewNamed(name, given, current);
    await requireHolders(reader, realmId, given, current);
  }
  const refusal = groupSettingRefusal(name, permission, given, ids);
  const value = isStoredGroupSetting(given) ? storableGroupSetting(given, ids) : undefined;
  if (value === undefined || refusal !== undefined) {
    const isOther =
      permission.require_system_group && value !== undefined && typeof value !== "string";
    throw isOther ? systemGroupRequired(name, refusal ?? "") : badRequest(refusal ?? "");
  }
  return value;
}

/**
 * Number of people and groups that a permission may name itself, because everybody gets all of them
 * with each channel.
 */
const namedMax = 500;

const namedIn = (value: StoredGroupSetting | undefined) =>
  typeof value === "object" ? value.direct_members.length + value.direct_subgroups.length : 1;

/** Refuses a value that names many, unless it names no more than the present one. */
function requireFewNamed(
  name: string,
  given: GroupSettingValue,
  current: StoredGroupSetting | undefined,
) {
  if (namedIn(given) <= Math.max(namedMax, namedIn(current))) return;
  throw badRequest(
    `${name} names at most ${namedMax} people and groups: make a user group of them and name that.`,
  );
}

/**
 * The new stored value of a permission, by the `{"new": …, "old": …}` of a request; undefined when
 * it does not change. Refuses as `checkGroupSetting` does, and an `old` that differs from the
 * present value (EXPECTATION_MISMATCH).
 */
export async function checkGroupSettingChange(
  reader: Reader,
  realmId: number,
  setting: SettingToGive & { current: StoredGroupSetting },
  given: unknown,
): Promise<StoredGroupSetting | undefined> {
  const change = readGroupSettingChange(setting.name, given);
  const value = await checkGroupSetting(reader, realmId, setting, change.new);
  const ids = await systemGroupIds(reader, realmId);
  if (
    change.old !== undefined &&
    !(await isCurrent(reader, realmId, setting.current, change.old, ids))
  ) {
    throw expectationMismatch(setting.name);
  }
  return Bun.deepEquals(value, storableGroupSetting(setting.current, ids)) ? undefined : value;
}

/** `old` may lack deactivated users, because clients remove these from their data. */
async function isCurrent(
  reader: Reader,
  realmId: number,
  current: StoredGroupSetting,
  old: GroupSettingValue,
  ids: SystemGroupIds,
): Promise<boolean> {
  const meaning = (value: GroupSettingValue) =>
    storableGroupSetting(canonicalGroupSetting(value), ids);
  const now = resolveGroupSetting(current, ids);
  if (Bun.deepEquals(meaning(old), meaning(now))) return true;
  if (typeof now === "number") return false;
  const users = await findUsersByIds(reader, realmId, now.direct_members);
  const active = users.filter(({ isActive }) => isActive).map(({ id }) => id);
  return Bun.deepEquals(meaning(old), meaning({ ...now, direct_members: active }));
}

const holdersOf = (value: StoredGroupSetting | undefined) => {
  if (value === undefined || typeof value === "string")
    return { direct_members: [], direct_subgroups: [] };
  return typeof value === "number" ? { direct_members: [], direct_subgroups: [value] } : value;
};

async function requireHolders(
  reader: Reader,
  realmId: number,
  value: GroupSettingValue,
  current: StoredGroupSetting | undefined,
) {
  const { direct_members: members, direct_subgroups: groups } = holdersOf(value);
  const kept = holdersOf(current);
  await requireGroups(reader, realmId, groups, kept.direct_subgroups);
  const users = await findUsersByIds(reader, realmId, members);
  const isUsable = ({ id, isActive, isSystemBot }: (typeof users)[number]) =>
    !isSystemBot && (isActive || kept.direct_members.includes(id));
  const usable = new Set(users.filter(isUsable).map(({ id }) => id));
  const refused = members.filter((id) => !usable.has(id));
  if (refused.length > 0) throw badRequest(`Invalid user ID: ${refused.join(", ")}`);
}
