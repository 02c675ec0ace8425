import { type Endpoint, endpoint } from "../http/endpoint";
import { ProveAddress, proveAddress, showAddressChange } from "./address-change";
import { GetUserChannels, getUserChannels } from "./channels";
import { CreateUser, createMember } from "./create";
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
import { GetOwnUser, GetUser, GetUsers, getOwnUser, getUser, getUsers } from "./read";

export const userEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/users",
    summary: "Lists the people and bots of the organization.",
    who: "spectator",
    input: GetUsers,
    verb: getUsers,
  }),
  endpoint({
    method: "POST",
    path: "/users",
    summary: "Adds a person to the organization.",
    who: "administrator",
    input: CreateUser,
    verb: createMember,
  }),
  endpoint({
    method: "GET",
    path: "/users/me",
    summary: "Shows the user who asks.",
    who: "user",
    input: GetOwnUser,
    verb: getOwnUser,
  }),
  endpoint({
    method: "DELETE",
    path: "/users/me",
    summary: "Deactivates the user who asks.",
    who: "user",
    input: DeactivateOwnUser,
    verb: deactivateOwnUser,
  }),
  endpoint({
    method: "GET",
    path: "/users/{user_id_or_email}",
    summary: "Shows one user, by id or e-mail address.",
    who: "user",
    input: GetUser,
    verb: getUser,
  }),
  endpoint({
    method: "PATCH",
    path: "/users/{user_id_or_email}",
    summary: "Changes the name, role or address of a user, for administrators.",
    who: "user",
    input: UpdateUser,
    verb: updateUser,
  }),
  endpoint({
    method: "DELETE",
    path: "/users/{user_id_or_email}",
    summary: "Deactivates a user, by id, for administrators.",
    who: "user",
    input: DeactivateUser,
    verb: deactivateNamedUser,
  }),
  endpoint({
    method: "POST",
    path: "/users/{user_id}/reactivate",
    summary: "Reactivates a user, for administrators.",
    who: "user",
    input: ReactivateUser,
    verb: reactivateNamedUser,
  }),
  endpoint({
    method: "GET",
    path: "/users/{user_id}/channels",
    summary: "Lists the channels that a user is subscribed to, as far as one may know them.",
    who: "user",
    input: GetUserChannels,
    verb: getUserChannels,
  }),
];

/** What the links in mails about accounts lead to. */
export const addressPages: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/account/address/{token}",
    summary: "Asks whether an address is to be somebody's from now on.",
    who: "anyone",
    input: ProveAddress,
    verb: showAddressChange,
  }),
  endpoint({
    method: "POST",
    path: "/account/address/{token}",
    summary: "Gives somebody the address that the link was mailed to.",
    who: "anyone",
    input: ProveAddress,
    verb: proveAddress,
  }),
];
