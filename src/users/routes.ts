import { type Endpoint, endpoint } from "../http/endpoint";
import { CreateUser, createMember } from "./create";
import { GetOwnUser, GetUser, GetUsers, getOwnUser, getUser, getUsers } from "./read";

export const userEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/users",
    summary: "Lists the people and bots of the organization.",
    who: "user",
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
    method: "GET",
    path: "/users/{user_id_or_email}",
    summary: "Shows one user, by id or e-mail address.",
    who: "user",
    input: GetUser,
    verb: getUser,
  }),
];
