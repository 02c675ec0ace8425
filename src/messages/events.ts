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

/**
 * Messages were changed: the content of one, the topic or channel of several. `flags`, which every event has on the wire, are
 * each recipient's own and are put in at delivery. `message_ids` are ascending.
 */
export const messageUpdated = event("update_message", undefined, {
  user_id: Type.Union([Type.Integer(), Type.Null()]),
  rendering_only: Type.Boolean(),
  message_id: Type.Integer(),
  message_ids: Type.Array(Type.Integer()),
  edit_timestamp: Type.Integer(),
  stream_name: Type.Optional(Type.String()),
  stream_id: Type.Optional(Type.Integer()),
  new_stream_id: Type.Optional(Type.Integer()),
  propagate_mode: Type.Optional(Type.String()),
  orig_subject: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  topic_links: Type.Optional(Type.Array(Type.Object({ text: Type.String(), url: Type.String() }))),
  orig_content: Type.Optional(Type.String()),
  orig_rendered_content: Type.Optional(Type.String()),
  content: Type.Optional(Type.String()),
  rendered_content: Type.Optional(Type.String()),
  is_me_message: Type.Optional(Type.Boolean()),
});

const inChannel = { message_type: Type.Literal("stream"), stream_id: Type.Integer(), topic: Type.String() };
const direct = { message_type: Type.Literal("private") };
const several = { message_ids: Type.Array(Type.Integer()) };
const one = { message_id: Type.Integer() };

/** Messages of one topic are gone, for the clients that take several at once. The ids are ascending. */
export const messagesDeleted = event("delete_message", undefined, { ...several, ...inChannel });

/** One message of a topic is gone, for all other clients. */
export const messageDeleted = event("delete_message", undefined, { ...one, ...inChannel });

/** Direct messages are gone, in both forms. */
export const directMessagesDeleted = event("delete_message", undefined, { ...several, ...direct });
export const directMessageDeleted = event("delete_message", undefined, { ...one, ...direct });
