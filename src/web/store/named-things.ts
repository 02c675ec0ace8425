import { computed } from "@preact/signals";
import { topicKey } from "../model/conversations";
import type { Named } from "../model/ranking";
import type { NamedChannel, NamedPerson, NamedTopic } from "../model/search-suggestions";
import { channelName, directName, peopleOfKey, topicName } from "./names";
import { recent } from "./recent";
import { channels, conversations, unread, users, userTopics } from "./state";
import { topicsOf } from "./topics";

/* Lists of all that has a name. Each stays as it is until something of its kind changes. */

const newestOfChannels = computed(() => {
  const newest = new Map<number, number>();
  for (const { channelId, newestId } of recent.value)
    if (channelId !== undefined && !newest.has(channelId)) newest.set(channelId, newestId);
  return newest;
});

/**
 * Channels that are not archived. Among equal matches, channels with the newest messages come
 * first.
 */
export const namedChannels = computed<readonly NamedChannel[]>(() =>
  [...channels.value.values()]
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id: channelId, name }) => ({
      channelId,
      name,
      recency: newestOfChannels.value.get(channelId) ?? 0,
    })),
);

/** People with active accounts. */
export const namedPeople = computed<readonly NamedPerson[]>(() =>
  [...users.value.values()]
    .filter(({ is_active }) => is_active)
    .map(({ user_id: userId, full_name: name }) => ({
      userId,
      name,
      recency: conversations.value.get(String(userId)) ?? 0,
    })),
);

/** Group conversations, by their keys. */
export const namedGroups = computed<readonly (Named & { readonly directKey: string })[]>(() =>
  [...conversations.value]
    .filter(([key]) => key.includes(","))
    .map(([directKey, recency]) => ({
      directKey,
      name: directName(peopleOfKey(directKey)),
      recency,
    })),
);

/**
 * Topics of recent messages, unread topics, topics with a policy of the person, and topics of
 * channels that were opened.
 */
export const namedTopics = computed<readonly NamedTopic[]>(() => {
  const topics = new Map<string, { channelId: number; topic: string; recency: number }>();
  const add = (channelId: number, topic: string, recency: number) => {
    const key = topicKey(channelId, topic);
    if ((topics.get(key)?.recency ?? -1) < recency) topics.set(key, { channelId, topic, recency });
  };
  for (const { channelId, topic, newestId } of recent.value)
    if (channelId !== undefined) add(channelId, topic, newestId);
  for (const { channelId, topic, ids } of unread.value.topics.values())
    add(channelId, topic, ids.at(-1) ?? 0);
  for (const { stream_id, topic_name } of userTopics.value.values()) add(stream_id, topic_name, 0);
  for (const channelId of channels.value.keys())
    for (const { name, max_id } of topicsOf(channelId) ?? []) add(channelId, name, max_id);
  return [...topics.values()].map((one) => ({
    ...one,
    name: topicName(one.topic),
    otherWords: channelName(one.channelId),
  }));
});

/** Ids of people by their lower-case names. Several people may have one name. */
export const idsByName = computed<ReadonlyMap<string, readonly number[]>>(() => {
  const ids = new Map<string, number[]>();
  for (const { user_id: id, full_name: name } of users.value.values()) {
    const key = name.toLowerCase();
    const others = ids.get(key);
    if (others) others.push(id);
    else ids.set(key, [id]);
  }
  return ids;
});
