import { type Static, Type } from "@sinclair/typebox";
import type { Schema } from "../../../db/schema";

export type ReminderRow = Schema["reminders"]["$inferSelect"];

/** A reminder as the protocol shows it: the direct message that its user will get. */
export const reminderObject = Type.Object(
  {
    reminder_id: Type.Integer(),
    type: Type.Literal("private"),
    to: Type.Array(Type.Integer(), { description: "The user's own id." }),
    content: Type.String(),
    rendered_content: Type.String(),
    scheduled_delivery_timestamp: Type.Integer({ description: "UNIX seconds." }),
    failed: Type.Boolean(),
    reminder_target_message_id: Type.Integer({
      description: "The message that the reminder is about.",
    }),
  },
  { title: "Reminder" },
);

export type WireReminder = Static<typeof reminderObject>;

export const reminderWire = (row: ReminderRow): WireReminder => ({
  reminder_id: row.id,
  type: "private",
  to: [row.userId],
  content: row.content,
  rendered_content: row.renderedContent,
  scheduled_delivery_timestamp: row.deliverAt,
  failed: false,
  reminder_target_message_id: row.messageId,
});
