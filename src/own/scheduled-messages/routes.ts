import { Type } from "@sinclair/typebox";
import { auditReasons, notAudited } from "../../core/audit";
import { endpoint, noFields } from "../../core/endpoint";
import {
  CreateScheduledMessage,
  createScheduledMessage,
  DeleteScheduledMessage,
  deleteScheduledMessage,
  GetScheduledMessages,
  getScheduledMessages,
  UpdateScheduledMessage,
  updateScheduledMessage,
} from "./service";
import { scheduledMessageObject } from "./wire";

export const scheduledMessageEndpoints = [
  endpoint({
    method: "GET",
    path: "/scheduled_messages",
    summary: "Lists your scheduled messages.",
    who: "user",
    input: GetScheduledMessages,
    output: Type.Object({ scheduled_messages: Type.Array(scheduledMessageObject) }),
    verb: getScheduledMessages,
  }),
  endpoint({
    method: "POST",
    path: "/scheduled_messages",
    summary: "Schedules a message.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    input: CreateScheduledMessage,
    output: Type.Object({ scheduled_message_id: Type.Integer() }),
    aliases: { subject: "topic" },
    verb: createScheduledMessage,
  }),
  endpoint({
    method: "PATCH",
    path: "/scheduled_messages/{scheduled_message_id}",
    summary: "Changes a scheduled message.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    input: UpdateScheduledMessage,
    output: noFields,
    aliases: { subject: "topic" },
    verb: updateScheduledMessage,
  }),
  endpoint({
    method: "DELETE",
    path: "/scheduled_messages/{scheduled_message_id}",
    summary: "Deletes a scheduled message.",
    who: "user",
    audit: notAudited(auditReasons.conversation),
    input: DeleteScheduledMessage,
    output: noFields,
    verb: deleteScheduledMessage,
  }),
];
