import type { ComponentChildren } from "preact";
import { topicKey } from "../model/conversations";
import type { Narrow } from "../model/narrow";
import { channelNarrow, directNarrow, topicNarrow } from "../model/narrow-kind";
import type { Named } from "../model/ranking";
import { sectionNames } from "../model/setting-sections";
import { ChannelMark } from "../parts/channel-mark";
import { Face } from "../parts/face";
import { Icon } from "../parts/icon";
import { channelName, directName, fragmentOf, peopleOfKey, topicName } from "../store/names";
import { place } from "../store/place";
import { signOfUser } from "../store/presence";
import { recent } from "../store/recent";
import { channels, conversations, unread, users, userTopics } from "../store/state";
import { topicsOf } from "../store/topics";
import { words } from "../words/words";
import { commands } from "./commands";
import { keysOf } from "./keyboard";

/** Something that the palette leads to, or does. */
export interface Destination extends Named {
  readonly key: string;
  /** Drawn for those alone that are shown, because an organization has many. */
  mark(): ComponentChildren;
  /** Words behind the name: where it is, or the key that does it. */
  where?(): ComponentChildren;
  run(): void;
}

const goTo = (narrow: Narrow): void => {
  location.hash = fragmentOf(narrow);
};

/** All that the palette knows of: channels, topics, conversations, people and commands. */
export const destinations = (): readonly Destination[] => [
  ...channelsToGoTo(),
  ...topicsToGoTo(),
  ...peopleToGoTo(),
  ...groupsToGoTo(),
  ...settingsToGoTo(),
  ...thingsToDo(),
];

const channelsToGoTo = (): readonly Destination[] => {
  const newest = new Map<number | undefined, number>();
  for (const { channelId, newestId } of recent.value)
    if (!newest.has(channelId)) newest.set(channelId, newestId);
  return [...channels.value.values()]
    .filter(({ is_archived }) => !is_archived)
    .map(({ stream_id: id, name }) => ({
      key: `channel ${id}`,
      name,
      recency: newest.get(id) ?? 0,
      mark: () => <ChannelMark channelId={id} />,
      run: () => goTo(channelNarrow(id)),
    }));
};

/** Topics of recent messages, with something unread, with a choice for them, and of the open channel. */
function topicsToGoTo(): readonly Destination[] {
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
  return [...topics].map(([key, { channelId, topic, recency }]) => ({
    key: `topic ${key}`,
    name: topicName(topic),
    otherWords: channelName(channelId),
    recency,
    mark: () => <ChannelMark channelId={channelId} />,
    where: () => <small dir="auto">{channelName(channelId)}</small>,
    run: () => goTo(topicNarrow(channelId, topic)),
  }));
}

const peopleToGoTo = (): readonly Destination[] =>
  [...users.value.values()]
    .filter(({ is_active }) => is_active)
    .map((user) => ({
      key: `person ${user.user_id}`,
      name: user.full_name,
      recency: conversations.value.get(String(user.user_id)) ?? 0,
      mark: () => <Face user={user} sign={signOfUser(user)} />,
      run: () => goTo(directNarrow([user.user_id])),
    }));

/** Direct conversations of several people. */
const groupsToGoTo = (): readonly Destination[] =>
  [...conversations.value]
    .filter(([key]) => key.includes(","))
    .map(([key, recency]) => ({
      key: `direct ${key}`,
      name: directName(peopleOfKey(key)),
      recency,
      mark: () => <Icon name="people" />,
      run: () => goTo(directNarrow(peopleOfKey(key))),
    }));

const settingsToGoTo = (): readonly Destination[] =>
  sectionNames.map((section) => ({
    key: `settings ${section}`,
    name: words.views.sections[section],
    otherWords: words.views.settings,
    recency: 0,
    mark: () => <Icon name="gear" />,
    where: () => <small>{words.views.settings}</small>,
    run: () => {
      location.hash = `#settings/${section}`;
    },
  }));

const thingsToDo = (): readonly Destination[] =>
  commands
    .filter(({ id, views }) => id !== "palette" && (!views || views.includes(place.value.view)))
    .map(({ id, run }) => ({
      key: `command ${id}`,
      name: words.keys.commands[id],
      recency: 0,
      mark: () => <Icon name="right" />,
      where: () => keysOf(id) !== "" && <kbd>{keysOf(id)}</kbd>,
      run,
    }));
