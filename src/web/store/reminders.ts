import { computed } from "@preact/signals";
import { noteOf, remindersInOrder } from "../model/scheduled";
import { secondsOf } from "../model/send-times";
import type { Reminder } from "../model/wire";
import { post, Refusal, remove } from "../net/api";
import { reminders } from "./state";

/** Reminders, the next one first. */
export const reminderList = computed(() => remindersInOrder(reminders.value));

/** Creates a reminder of a message. */
export const remind = (messageId: number, at: Date, note: string): Promise<unknown> =>
  post("/reminders", {
    message_id: messageId,
    scheduled_delivery_timestamp: secondsOf(at),
    ...(note.trim() === "" ? {} : { note }),
  });

export const removeReminder = ({ reminder_id }: Reminder): Promise<unknown> =>
  remove("/reminders/{reminder_id}", { reminder_id });

/** Changes the time of a reminder. The new reminder is created before the old one is deleted. */
export async function changeReminder(reminder: Reminder, at: Date, note: string): Promise<void> {
  await remind(reminder.reminder_target_message_id, at, note);
  await removeReminder(reminder).catch((error: unknown) => {
    // The old reminder has arrived meanwhile. A refusal would make the person create another one.
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
  });
}

/** Creates a deleted reminder again. */
export const restoreReminder = (reminder: Reminder): Promise<unknown> =>
  remind(
    reminder.reminder_target_message_id,
    new Date(reminder.scheduled_delivery_timestamp * 1_000),
    noteOf(reminder),
  );
