import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { AddReaction, addReaction, RemoveReaction, removeReaction } from "./service";

export const reactionEndpoints = [
  endpoint({
    method: "POST",
    path: "/messages/{message_id}/reactions",
    summary: "Adds a reaction to a message.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    input: AddReaction,
    output: noFields,
    verb: addReaction,
  }),
  endpoint({
    method: "DELETE",
    path: "/messages/{message_id}/reactions",
    summary: "Removes your reaction from a message.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    input: RemoveReaction,
    output: noFields,
    verb: removeReaction,
  }),
];
