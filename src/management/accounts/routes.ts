import { audited } from "../../core/audit";
import { endpoint, noFields, page } from "../../core/endpoint";
import {
  GetOwnUser,
  GetUser,
  GetUsers,
  getOwnUser,
  getUser,
  getUsers,
  OneUser,
  OwnUser,
  UserList,
} from "../../people/users/read";
import { ProveAddress, proveAddress, showAddressChange } from "./address-change";
import { GetUserChannels, getUserChannels, UserChannels } from "./channels";
import { CreatedUser, CreateUser, createMember } from "./create";
import {
  DeactivateOwnUser,
  DeactivateUser,
  deactivateNamedUser,
  deactivateOwnUser,
  ReactivateUser,
  reactivateNamedUser,
  UpdateUser,
  updateUser,
} from "./manage";

export const userEndpoints = [
  endpoint({
    method: "GET",
    path: "/users",
    summary: "Lists the people and bots of the organization.",
    who: "spectator",
    input: GetUsers,
    output: UserList,
    verb: getUsers,
  }),
  endpoint({
    method: "POST",
    path: "/users",
    summary: "Adds a person to the organization.",
    who: "administrator",
    audit: audited("user.create"),
    input: CreateUser,
    output: CreatedUser,
    verb: createMember,
  }),
  endpoint({
    method: "GET",
    path: "/users/me",
    summary: "Shows your own user.",
    who: "user",
    input: GetOwnUser,
    output: OwnUser,
    verb: getOwnUser,
  }),
  endpoint({
    method: "DELETE",
    path: "/users/me",
    summary: "Deactivates your account.",
    who: "user",
    audit: audited("user.deactivate"),
    input: DeactivateOwnUser,
    output: noFields,
    verb: deactivateOwnUser,
  }),
  endpoint({
    method: "GET",
    path: "/users/{user_id_or_email}",
    summary: "Shows one user, by id or e-mail address.",
    who: "user",
    input: GetUser,
    output: OneUser,
    verb: getUser,
  }),
  endpoint({
    method: "PATCH",
    path: "/users/{user_id_or_email}",
    summary: "Changes the name, role or address of a user, for administrators.",
    who: "user",
    audit: audited("user.update"),
    input: UpdateUser,
    output: noFields,
    verb: updateUser,
  }),
  endpoint({
    method: "DELETE",
    path: "/users/{user_id_or_email}",
    summary: "Deactivates a user, by id, for administrators.",
    who: "user",
    audit: audited("user.deactivate", "user.delete"),
    input: DeactivateUser,
    output: noFields,
    verb: deactivateNamedUser,
  }),
  endpoint({
    method: "POST",
    path: "/users/{user_id}/reactivate",
    summary: "Reactivates a user, for administrators.",
    who: "user",
    audit: audited("user.reactivate"),
    input: ReactivateUser,
    output: noFields,
    verb: reactivateNamedUser,
  }),
  endpoint({
    method: "GET",
    path: "/users/{user_id}/channels",
    summary: "Lists the channels that a user is subscribed to and that you may know.",
    who: "user",
    input: GetUserChannels,
    output: UserChannels,
    verb: getUserChannels,
  }),
];

/** Pages for the links in mails about accounts. */
export const addressPages = [
  endpoint({
    method: "GET",
    path: "/account/address/{token}",
    summary: "Shows the page that confirms a new address.",
    who: "anyone",
    input: ProveAddress,
    output: page,
    verb: showAddressChange,
  }),
  endpoint({
    method: "POST",
    path: "/account/address/{token}",
    summary: "Changes somebody's address to the one that the link was mailed to.",
    who: "anyone",
    audit: audited("user.change_email"),
    input: ProveAddress,
    output: page,
    verb: proveAddress,
  }),
];
