import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { scheduledMessageObject } from "./wire";

/** Somebody has a message sent later. */
export const scheduledMessagesAdded = event("scheduled_messages", "add", {
  scheduled_messages: Type.Array(scheduledMessageObject),
});

/** It is another one than before, or could not be sent. */
export const scheduledMessageUpdated = event("scheduled_messages", "update", {
  scheduled_message: scheduledMessageObject,
});

/** It was sent, or is not to be sent any more. */
export const scheduledMessageRemoved = event("scheduled_messages", "remove", {
  scheduled_message_id: Type.Integer(),
});
