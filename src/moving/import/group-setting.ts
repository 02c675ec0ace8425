import { isRecord } from "../../core/json/record";
import type { Numbered } from "./shifts";

/** The new id for an id of the file; undefined for a row that is missing. */
type IdOf = (of: Numbered, id: number) => number | undefined;

/**
 * The value of a permission with mapped ids. Missing people and groups are left out; undefined for
 * a single group that is missing.
 */
export function mapGroupSetting(idOf: IdOf, value: unknown): unknown {
  if (typeof value === "number") return idOf("user_groups", value);
  if (!isRecord(value)) return value;
  const ids = (list: unknown, of: Numbered) =>
    Array.isArray(list) ? list.flatMap((id) => idOf(of, Number(id)) ?? []) : [];
  const { direct_members, direct_subgroups } = value;
  return {
    direct_members: ids(direct_members, "users"),
    direct_subgroups: ids(direct_subgroups, "user_groups"),
  };
}
