import { Type } from "@sinclair/typebox";
import type { LoggedEvent } from "../../core/context";
import type { Presenter } from "../../core/event-hub";
import { event } from "../../events/define";
import { groupObject, groupSettingsObject } from "./wire";

/** Only in the log: the event is about a deactivated group, which not all clients know. */
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

/** There is a new group. All events of groups go to the realm. */
export const groupAdded = event("user_group", "add", { group: groupObject });

/** A group's name, description or permission is another one. */
export const groupUpdated = event(
  "user_group",
  "update",
  { ...updated, ...ofDeactivated },
  updated,
);

/**
 * A group was deactivated or reactivated. A client that does not know deactivated groups hears that
 * the group is gone, or that there is a new one: for that the log holds the whole of a reactivated
 * `group`.
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

/** A group that the client does not know any more. */
export const groupRemoved = event("user_group", "remove", { group_id: groupId });

/** An event as it goes to clients: without what only the log needs. */
function withoutNotes({ of_deactivated: _, ...rest }: LoggedEvent): LoggedEvent {
  if (rest.op !== "update") return rest;
  const { group: __, ...update } = rest;
  return update;
}

const changesActivity = ({ op, data }: LoggedEvent) =>
  op === "update" && typeof data === "object" && data !== null && "deactivated" in data;

/** A group's coming or going, for a client that does not know deactivated groups. */
function asComingOrGoing({ group, group_id: id }: LoggedEvent): LoggedEvent {
  return group === undefined
    ? groupRemoved({ group_id: Number(id) })
    : { type: "user_group", op: "add", group };
}

/**
 * Clients tell at register, by `include_deactivated_groups`, whether they know deactivated groups.
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
