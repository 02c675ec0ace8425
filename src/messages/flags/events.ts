import { type Static, Type } from "@sinclair/typebox";
import { event } from "../../events/define";

/** Somebody changed flags of messages for themselves. */
export const flagsAdded = event("update_message_flags", "add", {
  operation: Type.Literal("add"),
  flag: Type.String(),
  messages: Type.Array(Type.Integer()),
  all: Type.Boolean(),
});

/** Facts by which a client counts a message that is unread again. */
const unreadAgain = Type.Union([
  Type.Object({
    type: Type.Literal("stream"),
    stream_id: Type.Integer(),
    topic: Type.String(),
    unmuted_stream_msg: Type.Boolean(),
    mentioned: Type.Optional(Type.Boolean()),
  }),
  Type.Object({
    type: Type.Literal("private"),
    user_ids: Type.Array(Type.Integer()),
    mentioned: Type.Optional(Type.Boolean()),
  }),
]);

export type UnreadAgain = Static<typeof unreadAgain>;

export const flagsRemoved = event("update_message_flags", "remove", {
  operation: Type.Literal("remove"),
  flag: Type.String(),
  messages: Type.Array(Type.Integer()),
  all: Type.Boolean(),
  message_details: Type.Optional(Type.Record(Type.String(), unreadAgain)),
});
