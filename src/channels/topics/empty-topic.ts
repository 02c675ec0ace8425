import { emptyTopicDisplayName } from "../../markdown/channel-links";

/** Name of the empty topic, for clients that do not know that a topic may be empty too. */
export { emptyTopicDisplayName };

/** A topic as a client sees it. */
export const shownTopic = (topic: string, knowsEmptyTopics: boolean) =>
  topic === "" && !knowsEmptyTopics ? emptyTopicDisplayName : topic;

/**
 * A topic that a client names: the display name means the empty topic. Source:
 * `docs/protocol/specification.md`, Endpoints, Conventions.
 */
export function namedTopic(topic: string): string {
  const trimmed = topic.trim();
  return trimmed === emptyTopicDisplayName ? "" : trimmed;
}

/** Key that finds a topic by its name: topics that differ by case alone are one. */
export const topicKey = (topic: string) => topic.toLowerCase();
