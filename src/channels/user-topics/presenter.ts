import type { LoggedEvent } from "../../core/context";
import type { Presenter } from "../../core/event-hub";
import { shownTopic } from "../topics/empty-topic";

const policies: Presenter = {
  shape(changed, { emptyTopicName }) {
    if (changed["topic_name"] !== "" || emptyTopicName) return { variant: "", event: changed };
    return { variant: "named topic", event: { ...changed, topic_name: shownTopic("", false) } };
  },
};

const legacy: Presenter = {
  accepts: (_, { eventTypes }) => eventTypes !== null && !eventTypes.includes("user_topic"),
  shape(changed, { emptyTopicName }) {
    if (emptyTopicName) return { variant: "", event: changed };
    return { variant: "named topic", event: nameTopics(changed) };
  },
};

function nameTopics(changed: LoggedEvent): LoggedEvent {
  const { muted_topics: rows } = changed;
  if (!Array.isArray(rows)) return changed;
  const named = rows.map((row: unknown) =>
    Array.isArray(row) ? row.with(1, shownTopic(`${row[1]}`, false)) : row,
  );
  return { ...changed, muted_topics: named };
}

/**
 * Form of these events for a client that does not know the empty topic; a client that asks for both
 * types gets only the newer one.
 */
export const userTopicPresenters: ReadonlyMap<string, Presenter> = new Map([
  ["user_topic", policies],
  ["muted_topics", legacy],
]);
