import { byKey, putAll, withoutKeys } from "./copies";
import type { Event, Register, Reminder, ScheduledMessage } from "./wire";

/** Messages that the person has sent later, by id. */
export type ScheduledMessages = ReadonlyMap<number, ScheduledMessage>;

const scheduledKey = (message: ScheduledMessage) => message.scheduled_message_id;

export const scheduledFrom = ({ scheduled_messages }: Register): ScheduledMessages =>
  byKey(scheduled_messages, scheduledKey);

export function applyScheduled(scheduled: ScheduledMessages, event: Event): ScheduledMessages {
  if (event.type !== "scheduled_messages") return scheduled;
  if (event.op === "add") return putAll(scheduled, event.scheduled_messages, scheduledKey);
  if (event.op === "update") return putAll(scheduled, [event.scheduled_message], scheduledKey);
  return withoutKeys(scheduled, [event.scheduled_message_id]);
}

/** Reminders of messages that the person will get, by id. */
export type Reminders = ReadonlyMap<number, Reminder>;

const reminderKey = (reminder: Reminder) => reminder.reminder_id;

export const remindersFrom = ({ reminders }: Register): Reminders => byKey(reminders, reminderKey);

export function applyReminders(reminders: Reminders, event: Event): Reminders {
  if (event.type !== "reminders") return reminders;
  return event.op === "add"
    ? putAll(reminders, event.reminders, reminderKey)
    : withoutKeys(reminders, [event.reminder_id]);
}
