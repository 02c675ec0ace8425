import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { reminderObject } from "./wire";

/** Somebody wants to be reminded of a message. */
export const remindersAdded = event("reminders", "add", { reminders: Type.Array(reminderObject) });

/** They were reminded, or do not want to be any more. */
export const reminderRemoved = event("reminders", "remove", { reminder_id: Type.Integer() });
