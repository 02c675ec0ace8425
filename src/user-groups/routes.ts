import { type Endpoint, endpoint } from "../http/endpoint";
import { GetUserGroups, getUserGroups } from "./service";

export const userGroupEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/user_groups",
    summary: "Lists the organization's user groups with their members.",
    who: "user",
    input: GetUserGroups,
    verb: getUserGroups,
  }),
];
