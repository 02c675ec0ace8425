import { isResolved, resolvedPrefix, topicPolicies } from "../../protocol/topics";
import type { FlaggedMessage } from "../model/message";
import { isMuted } from "../model/unread";
import { policyOf } from "../model/user-topics";
import { patch, post, read } from "../net/api";
import { words } from "../words/words";
import { channelName, topicName } from "./names";
import { attempt, notify } from "./notices";
import { channels, model, userTopics } from "./state";

/** The policies that a person can choose for a topic. */
type TopicChoice = "inherit" | "muted" | "unmuted" | "followed";

/** The person's policy for a topic; `inherit` if they have chosen none. */
export const choiceOf = (channelId: number, topic: string): TopicChoice => {
  const policy = policyOf(userTopics.value, channelId, topic);
  const choices = ["inherit", "muted", "unmuted", "followed"] as const;
  return choices.find((choice) => topicPolicies[choice] === policy) ?? "inherit";
};

export const isTopicMuted = (channelId: number, topic: string): boolean =>
  isMuted(model.value, channelId, topic);

/** Mutes, unmutes or follows a topic for the person. This can be undone. */
async function chooseForTopic(
  channelId: number,
  topic: string,
  choice: TopicChoice,
): Promise<void> {
  const before = choiceOf(channelId, topic);
  const set = (wanted: TopicChoice) =>
    post("/user_topics", {
      stream_id: channelId,
      topic,
      visibility_policy: topicPolicies[wanted],
    });
  if (!(await attempt(() => set(choice)))) return;
  notify(words.actions.chosen(choice, topicName(topic)), () => void attempt(() => set(before)));
}

/** Follows or unfollows a topic. */
export const toggleFollow = (channelId: number, topic: string): Promise<void> =>
  chooseForTopic(
    channelId,
    topic,
    choiceOf(channelId, topic) === "followed" ? "inherit" : "followed",
  );

/** Mutes or unmutes a topic. In a muted channel, unmuting makes the topic visible. */
export function toggleTopicMute(channelId: number, topic: string): Promise<void> {
  const isChannelMuted = channels.value.get(channelId)?.is_muted === true;
  const unmuted = isChannelMuted ? "unmuted" : "inherit";
  return chooseForTopic(channelId, topic, isTopicMuted(channelId, topic) ? unmuted : "muted");
}

/** Marks a topic as resolved or unresolved. */
export async function toggleResolved(channelId: number, topic: string): Promise<void> {
  const renamed = isResolved(topic) ? topic.slice(resolvedPrefix.length) : resolvedPrefix + topic;
  await attempt(async () => {
    const message = await newestOf(channelId, topic);
    if (message === undefined) return notify(words.actions.emptyTopic);
    await patch("/messages/{message_id}", {
      message_id: message.id,
      topic: renamed,
      propagate_mode: "change_all",
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: true,
    });
  });
}

/** The newest message of a topic; undefined if it has none. */
export async function newestOf(
  channelId: number,
  topic: string,
): Promise<FlaggedMessage | undefined> {
  const { messages } = await read("/messages", {
    narrow: [
      { operator: "channel", operand: channelId },
      { operator: "topic", operand: topic },
    ],
    anchor: "newest",
    num_before: 1,
    num_after: 0,
    client_gravatar: true,
    allow_empty_topic_name: true,
  });
  return messages.at(-1);
}

type Property = "is_muted" | "pin_to_top";

/** Mutes, unmutes, pins or unpins a channel for the person. This can be undone. */
export async function toggleOfChannel(channelId: number, property: Property): Promise<void> {
  const isOn = channels.value.get(channelId)?.[property] === true;
  const set = (value: boolean) =>
    post("/users/me/subscriptions/properties", {
      subscription_data: [{ stream_id: channelId, property, value }],
    });
  if (!(await attempt(() => set(!isOn)))) return;
  const text = words.actions.channelSet(property, !isOn, channelName(channelId));
  notify(text, () => void attempt(() => set(isOn)));
}
