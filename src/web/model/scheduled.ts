import { byKey, putAll, withoutKeys } from "./copies";
import type { Recipient } from "./recipient";
import type { Event, Register, Reminder, ScheduledMessage } from "./wire";

/** The person's scheduled messages, by id. */
type ScheduledMessages = ReadonlyMap<number, ScheduledMessage>;

const scheduledKey = (message: ScheduledMessage) => message.scheduled_message_id;

export const scheduledFrom = ({ scheduled_messages }: Register): ScheduledMessages =>
  byKey(scheduled_messages, scheduledKey);

export function applyScheduled(scheduled: ScheduledMessages, event: Event): ScheduledMessages {
  if (event.type !== "scheduled_messages") return scheduled;
  if (event.op === "add") return putAll(scheduled, event.scheduled_messages, scheduledKey);
  if (event.op === "update") return putAll(scheduled, [event.scheduled_message], scheduledKey);
  return withoutKeys(scheduled, [event.scheduled_message_id]);
}

/** The conversation to which a scheduled message will be sent. */
export const recipientOfScheduled = ({ to, topic = "" }: ScheduledMessage): Recipient =>
  typeof to === "number"
    ? { kind: "topic", channelId: to, topic }
    : { kind: "direct", userIds: to };

/** Whether a message could not be sent at its time. */
export const hasFailed = (scheduled: ScheduledMessages): boolean =>
  [...scheduled.values()].some(({ failed }) => failed);

/** Scheduled messages, sorted: messages that could not be sent first, then by time. */
export const inOrderOfSending = (scheduled: ScheduledMessages): readonly ScheduledMessage[] =>
  [...scheduled.values()].sort(
    (one, other) =>
      Number(other.failed) - Number(one.failed) ||
      one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp,
  );

/** The person's reminders about messages, by id. */
export type Reminders = ReadonlyMap<number, Reminder>;

const reminderKey = (reminder: Reminder) => reminder.reminder_id;

export const remindersFrom = ({ reminders }: Register): Reminders => byKey(reminders, reminderKey);

export function applyReminders(reminders: Reminders, event: Event): Reminders {
  if (event.type !== "reminders") return reminders;
  return event.op === "add"
    ? putAll(reminders, event.reminders, reminderKey)
    : withoutKeys(reminders, [event.reminder_id]);
}

export const remindersInOrder = (reminders: Reminders): readonly Reminder[] =>
  [...reminders.values()].sort(
    (one, other) => one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp,
  );

const notePattern = /\n\nYour note:\n\n(`{3,})quote\n([\s\S]*)\n\1$/;

/** The note of a reminder, which is a quotation in the server's text; empty if there is none. */
export const noteOf = ({ content }: Reminder): string =>
  notePattern.exec(content)?.[2]?.replaceAll("&#64;", "@") ?? "";
