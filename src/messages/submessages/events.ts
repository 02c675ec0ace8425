import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";

/** Somebody has used the widget of a message. */
export const submessageAdded = event("submessage", undefined, {
  msg_type: Type.String(),
  message_id: Type.Integer(),
  submessage_id: Type.Integer(),
  sender_id: Type.Integer(),
  content: Type.String(),
});
