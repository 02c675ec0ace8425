import { computed, signal } from "@preact/signals";
import type { FlaggedMessage } from "../model/message";
import { noteOf, remindersInOrder } from "../model/scheduled";
import { secondsOf } from "../model/send-times";
import type { Reminder } from "../model/wire";
import { post, read, remove } from "../net/api";
import { reminders } from "./state";

/** Reminders, the next one first. */
export const reminderList = computed(() => remindersInOrder(reminders.value));

/** Has the server remind the person of a message. */
export const remind = (messageId: number, at: Date, note: string): Promise<unknown> =>
  post("/reminders", {
    message_id: messageId,
    scheduled_delivery_timestamp: secondsOf(at),
    ...(note.trim() === "" ? {} : { note }),
  });

export const removeReminder = ({ reminder_id }: Reminder): Promise<unknown> =>
  remove("/reminders/{reminder_id}", { reminder_id });

/** Gives a reminder another moment: the new one is there before the old one goes. */
export async function changeReminder(reminder: Reminder, at: Date, note: string): Promise<void> {
  await remind(reminder.reminder_target_message_id, at, note);
  await removeReminder(reminder);
}

/** Sets a reminder again that was deleted. */
export const restoreReminder = (reminder: Reminder): Promise<unknown> =>
  remind(
    reminder.reminder_target_message_id,
    new Date(reminder.scheduled_delivery_timestamp * 1_000),
    noteOf(reminder),
  );

const targets = signal<ReadonlyMap<number, FlaggedMessage | undefined>>(new Map());

/** A message that a reminder is about: "gone" where it cannot be read; undefined until it is asked. */
export function reminderTarget(messageId: number): FlaggedMessage | "gone" | undefined {
  return targets.value.has(messageId) ? (targets.value.get(messageId) ?? "gone") : undefined;
}

/** Asks for messages that reminders are about, as far as they were not asked for. Throws a `Refusal`. */
export async function loadTargets(messageIds: readonly number[]): Promise<void> {
  const missing = messageIds.filter((id) => !targets.peek().has(id));
  if (missing.length === 0) return;
  const { messages } = await read("/messages", {
    message_ids: missing,
    allow_empty_topic_name: true,
  });
  const found = new Map(messages.map((message) => [message.id, message]));
  targets.value = new Map([
    ...targets.peek(),
    ...missing.map((id) => [id, found.get(id)] as const),
  ]);
}
