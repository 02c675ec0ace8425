import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { MutedUser, muteUser, unmuteUser } from "./service";

const path = "/users/me/muted_users/{muted_user_id}";

export const mutedUserEndpoints = [
  endpoint({
    method: "POST",
    path,
    audit: notAudited(auditReasons.oneself),
    summary: "Mutes a user for you.",
    who: "user",
    input: MutedUser,
    output: noFields,
    verb: muteUser,
  }),
  endpoint({
    method: "DELETE",
    path,
    audit: notAudited(auditReasons.oneself),
    summary: "Unmutes a user.",
    who: "user",
    input: MutedUser,
    output: noFields,
    verb: unmuteUser,
  }),
];
