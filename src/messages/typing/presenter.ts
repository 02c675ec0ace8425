import { shownTopic } from "../../channels/topics/empty-topic";
import type { Presenter } from "../../core/event-hub";
import { isRecord } from "../../core/json/record";

const typing: Presenter = {
  accepts: ({ message_type }, { streamTypingNotifications }, { receivesTyping }) =>
    receivesTyping && (message_type !== "stream" || streamTypingNotifications),
  shape(event, { emptyTopicName }) {
    if (event["topic"] !== "" || emptyTopicName) return { variant: "", event };
    return { variant: "named topic", event: { ...event, topic: shownTopic("", false) } };
  },
};

const edits: Presenter = {
  accepts: (_event, _options, { receivesTyping }) => receivesTyping,
  shape(event, { emptyTopicName }) {
    const { recipient } = event;
    if (emptyTopicName || !isRecord(recipient) || recipient["topic"] !== "")
      return { variant: "", event };
    return {
      variant: "named topic",
      event: { ...event, recipient: { ...recipient, topic: shownTopic("", false) } },
    };
  },
};

/**
 * Typing goes to people who want to see it; in channels only to clients that asked for it at
 * register. Clients that do not know the empty topic get a name for it.
 */
export const typingPresenters: ReadonlyMap<string, Presenter> = new Map([
  ["typing", typing],
  ["typing_edit_message", edits],
]);
