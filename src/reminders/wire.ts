import type { Schema } from "../../db/schema";

export type ReminderRow = Schema["reminders"]["$inferSelect"];

/** A reminder as the protocol shows it: the direct message that its user will get. */
export interface WireReminder {
  reminder_id: number;
  type: "private";
  to: number[];
  content: string;
  rendered_content: string;
  /** UNIX seconds. */
  scheduled_delivery_timestamp: number;
  failed: boolean;
  reminder_target_message_id: number;
}

export const reminderWire = (row: ReminderRow): WireReminder => ({
  ...{ reminder_id: row.id, type: "private", to: [row.userId], content: row.content },
  ...{ rendered_content: row.renderedContent, scheduled_delivery_timestamp: row.deliverAt },
  ...{ failed: false, reminder_target_message_id: row.messageId },
});
