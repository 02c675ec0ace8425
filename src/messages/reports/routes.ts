import { notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { ReportMessage, reportMessage } from "./service";

export const reportEndpoints = [
  endpoint({
    method: "POST",
    path: "/messages/{message_id}/report",
    summary: "Reports a message to the organization's moderators.",
    who: "user",
    audit: notAudited("a report is a message to the moderators"),
    input: ReportMessage,
    output: noFields,
    verb: reportMessage,
  }),
];
