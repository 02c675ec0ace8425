import { Type } from "@sinclair/typebox";
import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  CreateReminder,
  createReminder,
  DeleteReminder,
  deleteReminder,
  GetReminders,
  getReminders,
} from "./service";
import { reminderObject } from "./wire";

export const reminderEndpoints = [
  endpoint({
    method: "GET",
    path: "/reminders",
    summary: "Lists your reminders.",
    who: "user",
    input: GetReminders,
    output: Type.Object({ reminders: Type.Array(reminderObject) }),
    verb: getReminders,
  }),
  endpoint({
    method: "POST",
    path: "/reminders",
    summary: "Creates a reminder of a message.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: CreateReminder,
    output: Type.Object({ reminder_id: Type.Integer() }),
    verb: createReminder,
  }),
  endpoint({
    method: "DELETE",
    path: "/reminders/{reminder_id}",
    summary: "Deletes a reminder.",
    who: "user",
    audit: notAudited(auditReasons.oneself),
    input: DeleteReminder,
    output: noFields,
    verb: deleteReminder,
  }),
];
