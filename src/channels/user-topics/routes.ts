import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { UpdateMutedTopic, UpdateUserTopic, updateMutedTopic, updateUserTopic } from "./service";

export const userTopicEndpoints = [
  endpoint({
    method: "POST",
    path: "/user_topics",
    summary: "Mutes, unmutes or follows a topic for you, or removes that policy.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: UpdateUserTopic,
    output: noFields,
    verb: updateUserTopic,
  }),
  endpoint({
    method: "PATCH",
    path: "/users/me/subscriptions/muted_topics",
    summary: "Mutes or unmutes a topic for you; for clients that know no other policies.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: UpdateMutedTopic,
    output: noFields,
    verb: updateMutedTopic,
  }),
];
