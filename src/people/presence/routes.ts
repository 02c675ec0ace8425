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
    summary: "Tells that you are there, and answers who else is.",
    who: "user",
    callers: "people",
    input: ReportPresence,
    output: OthersPresence,
    verb: reportPresence,
  }),
  endpoint({
    method: "GET",
    path: "/realm/presence",
    summary: "Shows when the people of the organization were last there.",
    who: "user",
    input: GetRealmPresence,
    output: RealmPresence,
    verb: getRealmPresence,
  }),
  endpoint({
    method: "GET",
    path: "/users/{user_id_or_email}/presence",
    summary: "Shows when a person was last there.",
    who: "user",
    input: GetUserPresence,
    output: UserPresence,
    verb: getUserPresence,
  }),
];
