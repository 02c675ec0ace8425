import { Type } from "@sinclair/typebox";
import type { Presenter } from "../core/event-hub";
import { event } from "../events/define";
import { shownTopic } from "./empty-topic";

const place = { message_type: Type.Literal("stream"), stream_id: Type.Integer(), topic: Type.String() };

/** Messages of one topic are gone, for the clients that take several at once. The ids are ascending. */
export const messagesDeleted = event("delete_message", undefined, {
  message_ids: Type.Array(Type.Integer()),
  ...place,
});

/** One message of a topic is gone, for all other clients. */
export const messageDeleted = event("delete_message", undefined, { message_id: Type.Integer(), ...place });

const deletions: Presenter = {
  accepts: (deletion, { bulkMessageDeletion }) => "message_ids" in deletion === bulkMessageDeletion,
  shape(deletion, { emptyTopicName }) {
    const { topic } = deletion;
    if (topic !== "" || emptyTopicName) return { variant: "", event: deletion };
    return { variant: "named topic", event: { ...deletion, topic: shownTopic(topic, false) } };
  },
};

/** How `delete_message` events look to each client: in one of two forms, with a name for the empty topic if it needs one. */
export const topicPresenters: ReadonlyMap<string, Presenter> = new Map([["delete_message", deletions]]);
