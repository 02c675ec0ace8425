import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { messageObject, recipientFlags } from "../../reading/wire";

/**
 * A message was sent. The log stores only a reference, because the event shows the message as of
 * its delivery.
 */
export const messageSent = event(
  "message",
  undefined,
  { message_id: Type.Integer() },
  {
    message: messageObject,
    flags: recipientFlags,
    local_message_id: Type.Optional(
      Type.String({ description: "The `local_id` of this client, if it sent the message." }),
    ),
  },
);
