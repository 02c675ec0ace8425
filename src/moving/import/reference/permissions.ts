import { type Given, givenNumber } from "../json";
import { type NumberedPermission, realmSwitches } from "./codes";
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

/**
 * The row of an organization with numbers in place of the switches that very old archives have, and
 * with the new name of a renamed switch, as upgrades of Zulip made them.
 */
export function withNewColumns(given: Given): Given {
  const waits = givenNumber(given["waiting_period_threshold"]) > 0;
  const numbers = realmSwitches(waits).flatMap(({ column, now, on, off }) =>
    typeof given[column] === "boolean" ? [[now, given[column] ? on : off]] : [],
  );
  const { restricted_to_domain: emails_restricted_to_domains } = given;
  return { emails_restricted_to_domains, ...Object.fromEntries(numbers), ...given };
}
