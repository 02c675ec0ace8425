import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { AddSubmessage, addSubmessage } from "./service";

export const submessageEndpoints = [
  endpoint({
    method: "POST",
    path: "/submessage",
    summary: "Votes in a poll, or changes a to-do list.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    input: AddSubmessage,
    output: noFields,
    verb: addSubmessage,
  }),
];
