import { Type } from "@sinclair/typebox";
import type { Presenter } from "../core/event-hub";
import { event } from "../events/define";

const person = Type.Object({ user_id: Type.Integer(), email: Type.String() });
const fields = {
  message_type: Type.String(),
  sender: person,
  recipients: Type.Optional(Type.Array(person)),
  stream_id: Type.Optional(Type.Integer()),
  topic: Type.Optional(Type.String()),
};

export const typingStarted = event("typing", "start", fields);
export const typingStopped = event("typing", "stop", fields);

/** Only clients that said so at register get typing in channels; those that do not know empty topics get their name. */
export function typingPresenter(emptyTopicDisplayName: string): Presenter {
  return {
    accepts: (typing, options) => typing["message_type"] !== "stream" || options.streamTypingNotifications,
    shape(typing, { emptyTopicName }) {
      if (typing["topic"] !== "" || emptyTopicName) return { variant: "", event: typing };
      return { variant: "named", event: { ...typing, topic: emptyTopicDisplayName } };
    },
  };
}
