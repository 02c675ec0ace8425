import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { scheduledMessageObject } from "./wire";

/** Somebody has scheduled messages. */
export const scheduledMessagesAdded = event("scheduled_messages", "add", {
  scheduled_messages: Type.Array(scheduledMessageObject),
});

/** A scheduled message has changed, or could not be sent. */
export const scheduledMessageUpdated = event("scheduled_messages", "update", {
  scheduled_message: scheduledMessageObject,
});

/** A scheduled message was sent or deleted. */
export const scheduledMessageRemoved = event("scheduled_messages", "remove", {
  scheduled_message_id: Type.Integer(),
});
