import { type Endpoint, endpoint } from "../http/endpoint";
import {
  GetRealmPresence,
  GetUserPresence,
  getRealmPresence,
  getUserPresence,
  ReportPresence,
  reportPresence,
} from "./service";

export const presenceEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/users/me/presence",
    summary: "Tells that you are there, and answers who else is.",
    who: "user",
    callers: "people",
    input: ReportPresence,
    verb: reportPresence,
  }),
  endpoint({
    method: "GET",
    path: "/realm/presence",
    summary: "Shows when the people of the organization were last there.",
    who: "user",
    input: GetRealmPresence,
    verb: getRealmPresence,
  }),
  endpoint({
    method: "GET",
    path: "/users/{user_id_or_email}/presence",
    summary: "Shows when a person was last there.",
    who: "user",
    input: GetUserPresence,
    verb: getUserPresence,
  }),
];
