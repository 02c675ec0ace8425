import { Type } from "@sinclair/typebox";
import type { LoggedEvent } from "../../core/context";
import type { Presenter } from "../../core/event-hub";
import { event } from "../../events/define";
import { groupObject, groupSettingsObject } from "./wire";

/** Only in the log: marks events of deactivated groups, which not all clients know. */
const ofDeactivated = { of_deactivated: Type.Optional(Type.Boolean()) };

const groupId = Type.Integer();
const members = { group_id: groupId, user_ids: Type.Array(Type.Integer()) };
const loggedMembers = { ...members, ...ofDeactivated };
const subgroups = { group_id: groupId, direct_subgroup_ids: Type.Array(Type.Integer()) };
const loggedSubgroups = { ...subgroups, ...ofDeactivated };
const updated = {
  group_id: groupId,
  data: Type.Partial(
    Type.Object({
      name: Type.String(),
      description: Type.String(),
      ...groupSettingsObject.properties,
    }),
  ),
};
const activity = { group_id: groupId, data: Type.Object({ deactivated: Type.Boolean() }) };

/** A group was created. All events of groups go to the realm. */
export const groupAdded = event("user_group", "add", { group: groupObject });

/** A group's name, description or permission has changed. */
export const groupUpdated = event(
  "user_group",
  "update",
  { ...updated, ...ofDeactivated },
  updated,
);

/**
 * A group was deactivated or reactivated. For a client without deactivated groups this is the
 * removal or the creation of the group; for that the log has the whole reactivated `group`.
 */
export const groupActivityChanged = event(
  "user_group",
  "update",
  { ...activity, group: Type.Optional(groupObject) },
  activity,
);

export const groupMembersAdded = event("user_group", "add_members", loggedMembers, members);
export const groupMembersRemoved = event("user_group", "remove_members", loggedMembers, members);
export const groupSubgroupsAdded = event("user_group", "add_subgroups", loggedSubgroups, subgroups);
export const groupSubgroupsRemoved = event(
  "user_group",
  "remove_subgroups",
  loggedSubgroups,
  subgroups,
);

/** A group is gone, for a client without deactivated groups. */
export const groupRemoved = event("user_group", "remove", { group_id: groupId });

/** An event for clients, without fields that only the log needs. */
function withoutNotes({ of_deactivated: _, ...rest }: LoggedEvent): LoggedEvent {
  if (rest.op !== "update") return rest;
  const { group: __, ...update } = rest;
  return update;
}

const changesActivity = ({ op, data }: LoggedEvent) =>
  op === "update" && typeof data === "object" && data !== null && "deactivated" in data;

/**
 * A deactivation or reactivation as a removal or creation, for a client without deactivated groups.
 */
function asComingOrGoing({ group, group_id: id }: LoggedEvent): LoggedEvent {
  return group === undefined
    ? groupRemoved({ group_id: Number(id) })
    : { type: "user_group", op: "add", group };
}

/**
 * Clients choose at register, by `include_deactivated_groups`, whether they get deactivated groups.
 */
export const userGroupPresenter: Presenter = {
  accepts: (event, options) => options.includeDeactivatedGroups || event.of_deactivated !== true,
  shape(event, options) {
    if (changesActivity(event) && !options.includeDeactivatedGroups) {
      return { variant: "active groups", event: asComingOrGoing(event) };
    }
    return { variant: "all groups", event: withoutNotes(event) };
  },
};
