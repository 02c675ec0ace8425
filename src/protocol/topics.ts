/** Policies of a person for a topic. Without one, the channel decides. */
export const topicPolicies = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** Name of the empty topic, for clients that do not know empty topics. */
export const emptyTopicDisplayName = "general chat";

/** Beginning of the name of a resolved topic. */
export const resolvedPrefix = "✔ ";

export const isResolved = (topic: string): boolean => topic.startsWith(resolvedPrefix);
