import { emptyTopicDisplayName } from "../../protocol/topics";

/** A topic for a client. */
export const shownTopic = (topic: string, knowsEmptyTopics: boolean) =>
  topic === "" && !knowsEmptyTopics ? emptyTopicDisplayName : topic;

/**
 * A topic from a client: the display name means the empty topic. Source:
 * `docs/protocol/specification.md`, Endpoints, Conventions.
 */
export function namedTopic(topic: string): string {
  const trimmed = topic.trim();
  return trimmed === emptyTopicDisplayName ? "" : trimmed;
}

/** Key for finding a topic by its name, ignoring case. */
export const topicKey = (topic: string) => topic.toLowerCase();
