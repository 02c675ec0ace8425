import { type SystemGroupName, systemGroupNames } from "../../protocol/system-groups";
import type { Group } from "./groups";
import type { Model } from "./snapshot";
import type { GroupSettingValue } from "./wire";

export type SystemName = Exclude<SystemGroupName, "role:internet">;

/** Groups of the server that a permission of a channel may be given to, from many people to few. */
const systemNames = systemGroupNames.filter((name): name is SystemName => name !== "role:internet");

export const systemNameOf = ({ name, is_system_group: isSystem }: Group): SystemName | undefined =>
  isSystem ? systemNames.find((one) => one === name) : undefined;

/** Whether members are full ones from the beginning, so that both groups are of equal people. */
const hasNoWaiting = ({ organization }: Model): boolean =>
  organization.waiting_period_threshold === 0;

/**
 * Groups that a permission of channels may be given to: those of the server, then those that people
 * have made, by their names. The group that has it now is among them in any case.
 */
export function groupsToHold(
  model: Model,
  permission: string,
  present: GroupSettingValue,
): readonly Group[] {
  const rules = model.server.server_supported_permission_settings.stream[permission];
  const isOffered = (name: SystemName): boolean =>
    name === "role:everyone"
      ? rules?.allow_everyone_group === true
      : name === "role:nobody"
        ? rules?.allow_nobody_group === true
        : name !== "role:fullmembers" || !hasNoWaiting(model);
  const groups = [...model.groups.values()];
  const ofServer = systemNames.flatMap(
    (name) =>
      groups.find((group) => {
        const isIt = systemNameOf(group) === name;
        return isIt && (isOffered(name) || group.id === present);
      }) ?? [],
  );
  const made = groups
    .filter(
      ({ id, is_system_group: isSystem, deactivated: isGone }) =>
        !isSystem && (!isGone || id === present),
    )
    .sort((one, other) => one.name.localeCompare(other.name));
  return [...ofServer, ...made];
}
