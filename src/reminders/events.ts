import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const reminder = Type.Object({
  reminder_id: Type.Integer(),
  type: Type.Literal("private"),
  to: Type.Array(Type.Integer()),
  content: Type.String(),
  rendered_content: Type.String(),
  scheduled_delivery_timestamp: Type.Integer(),
  failed: Type.Boolean(),
  reminder_target_message_id: Type.Integer(),
});

/** Somebody wants to be reminded of a message. */
export const remindersAdded = event("reminders", "add", { reminders: Type.Array(reminder) });

/** They were reminded, or do not want to be any more. */
export const reminderRemoved = event("reminders", "remove", { reminder_id: Type.Integer() });
