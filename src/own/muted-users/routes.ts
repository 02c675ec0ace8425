import { endpoint, noFields } from "../../core/endpoint";
import { MutedUser, muteUser, unmuteUser } from "./service";

const path = "/users/me/muted_users/{muted_user_id}";

export const mutedUserEndpoints = [
  endpoint({
    method: "POST",
    path,
    summary: "Mutes a user for you.",
    who: "user",
    input: MutedUser,
    output: noFields,
    verb: muteUser,
  }),
  endpoint({
    method: "DELETE",
    path,
    summary: "Unmutes a user.",
    who: "user",
    input: MutedUser,
    output: noFields,
    verb: unmuteUser,
  }),
];
