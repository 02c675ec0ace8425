import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";

const inChannel = {
  message_type: Type.Literal("stream"),
  stream_id: Type.Integer(),
  topic: Type.String(),
};
const direct = { message_type: Type.Literal("private") };
const several = { message_ids: Type.Array(Type.Integer()) };
const oneMessage = { message_id: Type.Integer() };

/**
 * Messages of one topic were deleted, for clients that accept several at once. The ids are
 * ascending.
 */
export const messagesDeleted = event("delete_message", undefined, { ...several, ...inChannel });

/** One message of a topic was deleted, for all other clients. */
export const messageDeleted = event("delete_message", undefined, { ...oneMessage, ...inChannel });

/** Direct messages were deleted, in both forms. */
export const directMessagesDeleted = event("delete_message", undefined, { ...several, ...direct });
export const directMessageDeleted = event("delete_message", undefined, {
  ...oneMessage,
  ...direct,
});
