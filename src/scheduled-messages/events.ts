import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const scheduledMessage = Type.Object({
  scheduled_message_id: Type.Integer(),
  type: Type.String(),
  to: Type.Union([Type.Integer(), Type.Array(Type.Integer())]),
  topic: Type.Optional(Type.String()),
  content: Type.String(),
  rendered_content: Type.String(),
  scheduled_delivery_timestamp: Type.Integer(),
  failed: Type.Boolean(),
});

/** Somebody has a message sent later. */
export const scheduledMessagesAdded = event("scheduled_messages", "add", {
  scheduled_messages: Type.Array(scheduledMessage),
});

/** It is another one than before, or could not be sent. */
export const scheduledMessageUpdated = event("scheduled_messages", "update", { scheduled_message: scheduledMessage });

/** It was sent, or is not to be sent any more. */
export const scheduledMessageRemoved = event("scheduled_messages", "remove", { scheduled_message_id: Type.Integer() });
