import { endpoint, noFields } from "../../core/endpoint";
import { UpdateMutedTopic, UpdateUserTopic, updateMutedTopic, updateUserTopic } from "./service";

export const userTopicEndpoints = [
  endpoint({
    method: "POST",
    path: "/user_topics",
    summary: "Mutes, unmutes or follows a topic for you, or removes that policy.",
    who: "user",
    input: UpdateUserTopic,
    output: noFields,
    verb: updateUserTopic,
  }),
  endpoint({
    method: "PATCH",
    path: "/users/me/subscriptions/muted_topics",
    summary: "Mutes or unmutes a topic for you; for clients that know no other policies.",
    who: "user",
    input: UpdateMutedTopic,
    output: noFields,
    verb: updateMutedTopic,
  }),
];
