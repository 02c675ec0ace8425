import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";

const person = Type.Object({ user_id: Type.Integer(), email: Type.String() });
const toPeople = {
  message_type: Type.Literal("direct"),
  sender: person,
  recipients: Type.Array(person, {
    description: "All people of the conversation, including the sender.",
  }),
};
const inChannel = {
  message_type: Type.Literal("stream"),
  sender: person,
  stream_id: Type.Integer(),
  topic: Type.String(),
};

/** Somebody has started or stopped typing a direct message. */
export const typingStarted = event("typing", "start", toPeople);
export const typingStopped = event("typing", "stop", toPeople);

/** Somebody has started or stopped typing a message in a channel. */
export const channelTypingStarted = event("typing", "start", inChannel);
export const channelTypingStopped = event("typing", "stop", inChannel);

const editFields = {
  sender_id: Type.Integer(),
  message_id: Type.Integer(),
  recipient: Type.Union([
    Type.Object({
      type: Type.Literal("channel"),
      channel_id: Type.Integer(),
      topic: Type.String(),
    }),
    Type.Object({ type: Type.Literal("direct"), user_ids: Type.Array(Type.Integer()) }),
  ]),
};

/** Somebody has started or stopped editing a message of theirs. */
export const typingEditStarted = event("typing_edit_message", "start", editFields);
export const typingEditStopped = event("typing_edit_message", "stop", editFields);
