import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import { RegisterPush, registerPush } from "./mobile-push";
import {
  RegisterClientDevice,
  RegisteredDevice,
  RemoveClientDevice,
  registerClientDevice,
  removeClientDevice,
} from "./service";
import { SendTestNotification, sendTestNotification } from "./test-notification";

export const deviceEndpoints = [
  endpoint({
    method: "POST",
    path: "/register_client_device",
    summary: "Registers the calling client as one of your devices.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    callers: "people",
    input: RegisterClientDevice,
    output: RegisteredDevice,
    verb: registerClientDevice,
  }),
  endpoint({
    method: "POST",
    path: "/remove_client_device",
    summary: "Removes one of your devices.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    callers: "people",
    input: RemoveClientDevice,
    output: noFields,
    verb: removeClientDevice,
  }),
  endpoint({
    method: "POST",
    path: "/mobile_push/register",
    summary: "Registers one of your devices for notifications, or changes its key or token.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    callers: "people",
    input: RegisterPush,
    output: noFields,
    verb: registerPush,
  }),
  endpoint({
    method: "POST",
    path: "/mobile_push/e2ee/test_notification",
    summary:
      "Sends a test notification to your devices, encrypted for each, and answers whether the relay accepted it.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    callers: "people",
    input: SendTestNotification,
    output: noFields,
    statuses: [502],
    verb: sendTestNotification,
    // Expensive because it is encrypted and sent to the relay while the client waits.
    cost: () => 10,
  }),
];
