import { audited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  ChangeDefaultGroupChannels,
  CreateDefaultGroup,
  changeDefaultGroupChannels,
  createDefaultGroup,
  RemoveDefaultGroup,
  removeDefaultGroup,
  UpdateDefaultGroup,
  updateDefaultGroup,
} from "./service";

export const defaultGroupEndpoints = [
  endpoint({
    method: "POST",
    path: "/default_stream_groups/create",
    summary: "Makes a group of channels that newcomers may choose.",
    who: "administrator",
    audit: audited("default_group.create"),
    input: CreateDefaultGroup,
    output: noFields,
    verb: createDefaultGroup,
  }),
  endpoint({
    method: "PATCH",
    path: "/default_stream_groups/{group_id}",
    summary: "Renames or describes a group of channels for newcomers.",
    who: "administrator",
    audit: audited("default_group.update"),
    input: UpdateDefaultGroup,
    output: noFields,
    verb: updateDefaultGroup,
  }),
  endpoint({
    method: "PATCH",
    path: "/default_stream_groups/{group_id}/streams",
    summary: "Adds channels to a group of channels for newcomers, or removes some.",
    who: "administrator",
    audit: audited("default_group.change_channels"),
    input: ChangeDefaultGroupChannels,
    output: noFields,
    verb: changeDefaultGroupChannels,
  }),
  endpoint({
    method: "DELETE",
    path: "/default_stream_groups/{group_id}",
    summary: "Removes a group of channels for newcomers; its channels stay.",
    who: "administrator",
    audit: audited("default_group.remove"),
    input: RemoveDefaultGroup,
    output: noFields,
    verb: removeDefaultGroup,
  }),
];
