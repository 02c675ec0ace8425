import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  SetEditTypingStatus,
  SetTypingStatus,
  setEditTypingStatus,
  setTypingStatus,
} from "./service";

export const typingEndpoints = [
  endpoint({
    method: "POST",
    path: "/typing",
    summary: "Announces that you have started or stopped typing.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    input: SetTypingStatus,
    output: noFields,
    verb: setTypingStatus,
  }),
  endpoint({
    method: "POST",
    path: "/messages/{message_id}/typing",
    summary: "Announces that you have started or stopped editing a message.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    input: SetEditTypingStatus,
    output: noFields,
    verb: setEditTypingStatus,
  }),
];
