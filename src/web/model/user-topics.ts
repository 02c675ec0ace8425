import { topicKey } from "./conversations";
import { byKey, put, withoutKeys } from "./copies";
import type { Event, Register, UserTopic } from "./wire";

/** Numbers of the protocol for what somebody wants of a topic. */
export const topicPolicies = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** Choices for topics, by `topicKey`, where they differ from the channel's. */
export type UserTopics = ReadonlyMap<string, UserTopic>;

const keyOf = ({ stream_id, topic_name }: UserTopic) => topicKey(stream_id, topic_name);

export const userTopicsFrom = ({ user_topics }: Register): UserTopics => byKey(user_topics, keyOf);

export function applyUserTopics(topics: UserTopics, event: Event): UserTopics {
  if (event.type !== "user_topic") return topics;
  const { id: _, type: _type, ...topic } = event;
  return topic.visibility_policy === topicPolicies.inherit
    ? withoutKeys(topics, [keyOf(topic)])
    : put(topics, keyOf(topic), topic);
}

/**
 * The person's choice for a topic; 0 if they have made none, so that the channel's setting applies.
 */
export const policyOf = (topics: UserTopics, channelId: number, topic: string): number =>
  topics.get(topicKey(channelId, topic))?.visibility_policy ?? topicPolicies.inherit;
