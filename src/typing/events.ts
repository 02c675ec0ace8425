import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const person = Type.Object({ user_id: Type.Integer(), email: Type.String() });
const fields = {
  message_type: Type.String(),
  sender: person,
  recipients: Type.Optional(Type.Array(person)),
  stream_id: Type.Optional(Type.Integer()),
  topic: Type.Optional(Type.String()),
};

/** Somebody is writing a message, or no longer is. */
export const typingStarted = event("typing", "start", fields);
export const typingStopped = event("typing", "stop", fields);

const editFields = {
  sender_id: Type.Integer(),
  message_id: Type.Integer(),
  recipient: Type.Union([
    Type.Object({ type: Type.Literal("channel"), channel_id: Type.Integer(), topic: Type.String() }),
    Type.Object({ type: Type.Literal("direct"), user_ids: Type.Array(Type.Integer()) }),
  ]),
};

/** Somebody is changing a message of theirs, or no longer is. */
export const typingEditStarted = event("typing_edit_message", "start", editFields);
export const typingEditStopped = event("typing_edit_message", "stop", editFields);
