import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { reminderObject } from "./wire";

/** Somebody has created a reminder of a message. */
export const remindersAdded = event("reminders", "add", { reminders: Type.Array(reminderObject) });

/** A reminder was delivered or deleted. */
export const reminderRemoved = event("reminders", "remove", { reminder_id: Type.Integer() });
