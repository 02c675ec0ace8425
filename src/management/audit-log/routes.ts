import { endpoint } from "../../core/endpoint";
import { AuditLogPage, ListAuditLog, listAuditLog } from "./service";

export const auditLogEndpoints = [
  endpoint({
    method: "GET",
    path: "/audit_log",
    summary: "Lists who has changed what in the organization, and when, for owners.",
    who: "owner",
    callers: "people",
    input: ListAuditLog,
    output: AuditLogPage,
    verb: listAuditLog,
  }),
];
