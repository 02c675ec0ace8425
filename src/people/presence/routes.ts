import { auditReasons, notAudited } from "../../core/audit";
import { endpoint } from "../../core/endpoint";
import {
  GetRealmPresence,
  GetUserPresence,
  getRealmPresence,
  getUserPresence,
  OthersPresence,
  RealmPresence,
  ReportPresence,
  reportPresence,
  UserPresence,
} from "./service";

export const presenceEndpoints = [
  endpoint({
    method: "POST",
    path: "/users/me/presence",
    summary: "Reports your presence, and answers the presence of others.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    callers: "people",
    input: ReportPresence,
    output: OthersPresence,
    verb: reportPresence,
  }),
  endpoint({
    method: "GET",
    path: "/realm/presence",
    summary: "Shows the presence of the people of the organization.",
    who: "user",
    input: GetRealmPresence,
    output: RealmPresence,
    verb: getRealmPresence,
  }),
  endpoint({
    method: "GET",
    path: "/users/{user_id_or_email}/presence",
    summary: "Shows the presence of a person.",
    who: "user",
    input: GetUserPresence,
    output: UserPresence,
    verb: getUserPresence,
  }),
];
