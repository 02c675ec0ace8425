import { isRecord } from "../../core/json/record";
import { type Numbered, type Shifts, shiftId } from "./shifts";

/**
 * The value of a permission with mapped ids. Missing people and groups are left out; undefined for
 * a single group that is missing.
 */
export function mapGroupSetting(shifts: Shifts, value: unknown): unknown {
  if (typeof value === "number") return shiftId(shifts, "user_groups", value);
  if (!isRecord(value)) return value;
  const ids = (list: unknown, of: Numbered) =>
    Array.isArray(list) ? list.flatMap((id) => shiftId(shifts, of, Number(id)) ?? []) : [];
  const { direct_members, direct_subgroups } = value;
  return {
    direct_members: ids(direct_members, "users"),
    direct_subgroups: ids(direct_subgroups, "user_groups"),
  };
}
