import { type Static, Type } from "@sinclair/typebox";
import { event } from "../../events/define";

/** Somebody has changed flags of messages. To their own clients. */
export const flagsAdded = event("update_message_flags", "add", {
  operation: Type.Literal("add"),
  flag: Type.String(),
  messages: Type.Array(Type.Integer()),
  all: Type.Boolean(),
});

/** Facts that a client needs to count a message as unread again. */
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

/**
 * Messages are out of reach of somebody who has starred them and left their channel. To their own
 * clients, which learn no more.
 */
export const starsRemoved = (messages: number[]) =>
  flagsRemoved({ operation: "remove", flag: "starred", messages, all: false });
