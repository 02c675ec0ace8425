/** Policies for the topics of a channel: `inherit` leaves that to the organization. */
export const topicsPolicies = [
  "inherit",
  "allow_empty_topic",
  "disable_empty_topic",
  "empty_topic_only",
] as const;
export type TopicsPolicy = (typeof topicsPolicies)[number];
