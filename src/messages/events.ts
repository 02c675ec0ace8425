import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

/** A message was sent. The log keeps only the reference: the message is shown as it is when the event is delivered. */
export const messageSent = event("message", undefined, { message_id: Type.Integer() });

/** Somebody changed flags of messages for themselves. */
export const flagsAdded = event("update_message_flags", "add", {
  operation: Type.Literal("add"),
  flag: Type.String(),
  messages: Type.Array(Type.Integer()),
  all: Type.Boolean(),
});

export const flagsRemoved = event("update_message_flags", "remove", {
  operation: Type.Literal("remove"),
  flag: Type.String(),
  messages: Type.Array(Type.Integer()),
  all: Type.Boolean(),
  message_details: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
});
