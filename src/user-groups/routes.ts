import { type Endpoint, endpoint } from "../http/endpoint";
import { DeactivateUserGroup, deactivateUserGroup } from "./activity";
import { CreateUserGroup, createUserGroup } from "./create";
import { UpdateGroupMembers, UpdateSubgroups, updateGroupMembers, updateSubgroups } from "./members";
import {
  GetGroupMembers,
  GetIsGroupMember,
  GetSubgroups,
  GetUserGroups,
  getGroupMembers,
  getIsGroupMember,
  getSubgroups,
  getUserGroups,
} from "./read";
import { UpdateUserGroup, updateUserGroup } from "./update";

export const userGroupEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/user_groups",
    summary: "Lists the organization's user groups with their members.",
    who: "nonGuest",
    callers: "people",
    input: GetUserGroups,
    verb: getUserGroups,
  }),
  endpoint({
    method: "POST",
    path: "/user_groups/create",
    summary: "Makes a user group.",
    who: "nonGuest",
    input: CreateUserGroup,
    verb: createUserGroup,
  }),
  endpoint({
    method: "PATCH",
    path: "/user_groups/{user_group_id}",
    summary: "Changes a user group's name, description and permissions, or reactivates it.",
    who: "nonGuest",
    callers: "people",
    input: UpdateUserGroup,
    verb: updateUserGroup,
  }),
  endpoint({
    method: "POST",
    path: "/user_groups/{user_group_id}/deactivate",
    summary: "Takes a user group out of use.",
    who: "nonGuest",
    input: DeactivateUserGroup,
    verb: deactivateUserGroup,
  }),
  endpoint({
    method: "GET",
    path: "/user_groups/{user_group_id}/members",
    summary: "Lists who is in a user group, also by its subgroups.",
    who: "nonGuest",
    callers: "people",
    input: GetGroupMembers,
    verb: getGroupMembers,
  }),
  endpoint({
    method: "POST",
    path: "/user_groups/{user_group_id}/members",
    summary: "Adds and removes members and subgroups of a user group.",
    who: "nonGuest",
    callers: "people",
    input: UpdateGroupMembers,
    verb: updateGroupMembers,
  }),
  endpoint({
    method: "GET",
    path: "/user_groups/{user_group_id}/members/{user_id}",
    summary: "Says whether somebody is in a user group.",
    who: "nonGuest",
    input: GetIsGroupMember,
    verb: getIsGroupMember,
  }),
  endpoint({
    method: "GET",
    path: "/user_groups/{user_group_id}/subgroups",
    summary: "Lists the groups that a user group contains.",
    who: "nonGuest",
    callers: "people",
    input: GetSubgroups,
    verb: getSubgroups,
  }),
  endpoint({
    method: "POST",
    path: "/user_groups/{user_group_id}/subgroups",
    summary: "Adds and removes subgroups of a user group.",
    who: "nonGuest",
    callers: "people",
    input: UpdateSubgroups,
    verb: updateSubgroups,
  }),
];
