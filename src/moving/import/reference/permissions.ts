import type { Given } from "../json";
import type { NumberedPermission } from "./codes";
import { groupSettingOf, type Source } from "./source";

/** The permissions in the columns of a row, in the form in which they are stored here. */
export function groupSettings(source: Source, given: Given): Record<string, unknown> {
  const settings = Object.entries(given)
    .filter(([name]) => /^can_\w+_group$/.test(name))
    .flatMap(([name, value]) => {
      const setting = groupSettingOf(source, value);
      return setting === undefined ? [] : [[name, setting]];
    });
  return Object.fromEntries(settings);
}

/**
 * The permissions that a row of a table has as numbers, as archives from before 10.0 do, by the
 * names of the settings here. An unknown number is reported.
 */
export function numberedSettings(
  { report }: Pick<Source, "report">,
  table: string,
  given: Given,
  permissions: readonly NumberedPermission[],
): Record<string, unknown> {
  const settings = permissions.flatMap(({ column, setting, holders }) => {
    const code = given[column];
    if (typeof code !== "number") return [];
    const group = holders[code];
    if (group === undefined) report.add(table, column, "are limits with an unknown number");
    return group === undefined ? [] : [[setting, group]];
  });
  return Object.fromEntries(settings);
}
