import { type Endpoint, endpoint } from "../http/endpoint";
import { CreateReminder, createReminder, DeleteReminder, deleteReminder, GetReminders, getReminders } from "./service";

export const reminderEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/reminders",
    summary: "Lists what you want to be reminded of.",
    who: "user",
    input: GetReminders,
    verb: getReminders,
  }),
  endpoint({
    method: "POST",
    path: "/reminders",
    summary: "Has you reminded of a message.",
    who: "user",
    input: CreateReminder,
    verb: createReminder,
  }),
  endpoint({
    method: "DELETE",
    path: "/reminders/{reminder_id}",
    summary: "Gives up a reminder.",
    who: "user",
    input: DeleteReminder,
    verb: deleteReminder,
  }),
];
