import { Type } from "@sinclair/typebox";
import { audited, auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { DeactivateRealm, deactivateRealm } from "./deactivate";
import { ChangedRealm, UpdateRealm, updateRealm } from "./update";
import { TestWelcomeText, testWelcomeText } from "./welcome-text";

export const realmEndpoints = [
  endpoint({
    method: "PATCH",
    path: "/realm",
    summary: "Changes the organization's name and settings.",
    who: "administrator",
    audit: audited("realm.update"),
    input: UpdateRealm,
    output: ChangedRealm,
    verb: updateRealm,
  }),
  endpoint({
    method: "POST",
    path: "/realm/test_welcome_bot_custom_message",
    summary: "Sends you, as an administrator, the welcome message of new people.",
    who: "administrator",
    audit: notAudited(auditReasons.oneself),
    input: TestWelcomeText,
    output: Type.Object({ message_id: Type.Integer() }),
    verb: testWelcomeText,
  }),
  endpoint({
    method: "POST",
    path: "/realm/deactivate",
    summary: "Deactivates the organization.",
    who: "owner",
    audit: audited("realm.deactivate"),
    input: DeactivateRealm,
    output: noFields,
    verb: deactivateRealm,
  }),
];
