import { audited, auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  GetStatus,
  getStatus,
  UpdateOwnStatus,
  UpdateStatus,
  UserStatus,
  updateOwnStatus,
  updateStatus,
} from "./service";

const path = "/users/{user_id}/status";

export const statusEndpoints = [
  endpoint({
    method: "POST",
    path: "/users/me/status",
    summary: "Changes your status.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    callers: "people",
    input: UpdateOwnStatus,
    output: noFields,
    verb: updateOwnStatus,
  }),
  endpoint({
    method: "GET",
    path,
    summary: "Shows a person's status.",
    who: "user",
    input: GetStatus,
    output: UserStatus,
    verb: getStatus,
  }),
  endpoint({
    method: "POST",
    path,
    audit: audited("user.update"),
    summary: "Changes a person's status, for administrators.",
    who: "user",
    input: UpdateStatus,
    output: noFields,
    verb: updateStatus,
  }),
];
