import { audited, auditReasons, notAudited } from "../../core/audit";
import { endpoint, page } from "../../core/endpoint";
import {
  FinishRegistration,
  finishRegistration,
  OpenRegistration,
  Register,
  register,
  ShowRegistration,
  showJoining,
  showRegistration,
} from "./register";

/** Pages for people who join without an invitation. */
export const registrationPages = [
  endpoint({
    method: "GET",
    path: "/register",
    summary: "Shows the form for the e-mail address of people who want to join.",
    who: "anyone",
    input: ShowRegistration,
    output: page,
    verb: showRegistration,
  }),
  endpoint({
    method: "POST",
    path: "/register",
    summary: "Mails a link for joining to an address.",
    who: "anyone",
    audit: notAudited(auditReasons.link),
    input: Register,
    output: page,
    verb: register,
  }),
  endpoint({
    method: "GET",
    path: "/register/{token}",
    summary: "Shows the form in which the owner of a proven address chooses a name and a password.",
    who: "anyone",
    input: OpenRegistration,
    output: page,
    verb: showJoining,
  }),
  endpoint({
    method: "POST",
    path: "/register/{token}",
    summary: "Makes the account of the owner of a proven address.",
    who: "anyone",
    audit: audited("user.create"),
    input: FinishRegistration,
    output: page,
    verb: finishRegistration,
  }),
];
