import { type Static, Type } from "@sinclair/typebox";
import { nullable, word } from "../core/params";
import { event } from "../events/define";
import { messageObject, topicLinkObject } from "../reading/wire";

const flags = Type.Array(Type.String(), { description: "Those that the recipient's message has." });

/**
 * A message was sent. The log keeps only the reference: the message is shown as it is when the
 * event is delivered.
 */
export const messageSent = event(
  "message",
  undefined,
  { message_id: Type.Integer() },
  {
    message: messageObject,
    flags,
    local_message_id: Type.Optional(
      Type.String({ description: "The `local_id` of this client, if it sent the message." }),
    ),
  },
);

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

const updateFields = {
  user_id: nullable(Type.Integer()),
  rendering_only: Type.Boolean(),
  message_id: Type.Integer(),
  message_ids: Type.Array(Type.Integer()),
  edit_timestamp: Type.Integer(),
  stream_name: Type.Optional(Type.String()),
  stream_id: Type.Optional(Type.Integer()),
  new_stream_id: Type.Optional(Type.Integer()),
  propagate_mode: Type.Optional(word("change_one", "change_later", "change_all")),
  orig_subject: Type.Optional(Type.String()),
  subject: Type.Optional(Type.String()),
  topic_links: Type.Optional(Type.Array(topicLinkObject)),
  orig_content: Type.Optional(Type.String()),
  orig_rendered_content: Type.Optional(Type.String()),
  content: Type.Optional(Type.String()),
  rendered_content: Type.Optional(Type.String()),
  is_me_message: Type.Optional(Type.Boolean()),
};

/**
 * Messages were changed: the content of one, the topic or channel of several. `flags`, which every
 * event has on the wire, are each recipient's own and are put in at delivery. `message_ids` are
 * ascending.
 */
export const messageUpdated = event("update_message", undefined, updateFields, {
  ...updateFields,
  flags,
});

const inChannel = {
  message_type: Type.Literal("stream"),
  stream_id: Type.Integer(),
  topic: Type.String(),
};
const direct = { message_type: Type.Literal("private") };
const several = { message_ids: Type.Array(Type.Integer()) };
const one = { message_id: Type.Integer() };

/**
 * Messages of one topic are gone, for the clients that take several at once. The ids are ascending.
 */
export const messagesDeleted = event("delete_message", undefined, { ...several, ...inChannel });

/** One message of a topic is gone, for all other clients. */
export const messageDeleted = event("delete_message", undefined, { ...one, ...inChannel });

/** Direct messages are gone, in both forms. */
export const directMessagesDeleted = event("delete_message", undefined, { ...several, ...direct });
export const directMessageDeleted = event("delete_message", undefined, { ...one, ...direct });
