import { type Endpoint, endpoint } from "../http/endpoint";
import { DeactivateRealm, deactivateRealm } from "./deactivate";
import { UpdateRealm, updateRealm } from "./update";
import { TestWelcomeText, testWelcomeText } from "./welcome-text";

export const realmEndpoints: Endpoint[] = [
  endpoint({
    method: "PATCH",
    path: "/realm",
    summary: "Changes the organization's name and settings.",
    who: "administrator",
    input: UpdateRealm,
    verb: updateRealm,
  }),
  endpoint({
    method: "POST",
    path: "/realm/test_welcome_bot_custom_message",
    summary: "Sends an administrator what new people would be told.",
    who: "administrator",
    input: TestWelcomeText,
    verb: testWelcomeText,
  }),
  endpoint({
    method: "POST",
    path: "/realm/deactivate",
    summary: "Deactivates the organization.",
    who: "owner",
    input: DeactivateRealm,
    verb: deactivateRealm,
  }),
];
