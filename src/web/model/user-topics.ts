import { topicPolicies } from "../../protocol/topics";
import { topicKey } from "./conversations";
import { byKey, put, withoutKeys } from "./copies";
import type { Event, Register, UserTopic } from "./wire";

/** Policies for topics, by `topicKey`. Topics without an entry have the policy of their channel. */
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
 * The person's policy for a topic; 0 if they have chosen none, so that the channel's setting
 * applies.
 */
export const policyOf = (topics: UserTopics, channelId: number, topic: string): number =>
  topics.get(topicKey(channelId, topic))?.visibility_policy ?? topicPolicies.inherit;
