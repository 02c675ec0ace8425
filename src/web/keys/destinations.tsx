import type { ComponentChildren } from "preact";
import { firstWords, wordsOf } from "../model/arrivals";
import { conversationKey, topicKey } from "../model/conversations";
import type { FlaggedMessage } from "../model/message";
import type { Narrow } from "../model/narrow";
import { channelNarrow, directNarrow, placeNarrow, topicNarrow } from "../model/narrow-kind";
import { type Named, rankedBy } from "../model/ranking";
import type { NamedChannel, NamedPerson, NamedTopic } from "../model/search-suggestions";
import { type SectionName, sectionNames } from "../model/setting-sections";
import { ChannelMark } from "../parts/channel-mark";
import { Face } from "../parts/face";
import { Icon } from "../parts/icon";
import { namedChannels, namedGroups, namedPeople, namedTopics } from "../store/named-things";
import {
  channelName,
  directName,
  fragmentOf,
  peopleOfKey,
  senderOf,
  topicName,
} from "../store/names";
import { place } from "../store/place";
import { signOfUser } from "../store/presence";
import { me, users } from "../store/state";
import { keyWords } from "../words/keys";
import { words } from "../words/words";
import { type Command, commands } from "./commands";
import { keysOf } from "./keyboard";

/** An entry of the palette: a place, or a command. */
export interface Destination extends Named {
  readonly key: string;
  mark(): ComponentChildren;
  /** Shown after the name: where the place is, or the keys of the command. */
  where?(): ComponentChildren;
  run(): void;
}

const goTo = (narrow: Narrow): void => {
  location.hash = fragmentOf(narrow);
};

/**
 * Places and commands that match a text, the best first. Of each kind only the best matches become
 * entries, because an organization can have many people.
 */
export function destinationsFor(text: string, most: number): readonly Destination[] {
  const best = <Thing extends Named>(
    things: readonly Thing[],
    destinationOf: (thing: Thing) => Destination,
  ) => rankedBy(things, text, most).map(destinationOf);
  const all = [
    ...best(namedChannels.value, channelToGoTo),
    ...best(namedTopics.value, topicToGoTo),
    ...best(namedPeople.value.filter(isTalkedTo), personToGoTo),
    ...best(namedGroups.value, groupToGoTo),
    ...commandsHere().map(commandToRun),
    ...sectionNames.map(settingToGoTo),
  ];
  return rankedBy(all, text, most);
}

const channelToGoTo = (channel: NamedChannel): Destination => ({
  ...channel,
  key: `channel ${channel.channelId}`,
  mark: () => <ChannelMark channelId={channel.channelId} />,
  run: () => goTo(channelNarrow(channel.channelId)),
});

const topicToGoTo = (named: NamedTopic): Destination => ({
  ...named,
  key: `topic ${topicKey(named.channelId, named.topic)}`,
  mark: () => <ChannelMark channelId={named.channelId} />,
  where: () => <small dir="auto">{channelName(named.channelId)}</small>,
  run: () => goTo(topicNarrow(named.channelId, named.topic)),
});

/**
 * Whether one can write to somebody. The server's own bots do not reply, but they may have written.
 */
const isTalkedTo = ({ userId, recency }: NamedPerson): boolean =>
  recency > 0 || !users.value.get(userId)?.is_system_bot;

const personToGoTo = (person: NamedPerson): Destination => ({
  ...person,
  key: `person ${person.userId}`,
  mark: () => {
    const user = users.value.get(person.userId);
    return user && <Face user={user} sign={signOfUser(user)} />;
  },
  run: () => goTo(directNarrow([person.userId])),
});

const groupToGoTo = (group: Named & { readonly directKey: string }): Destination => ({
  ...group,
  key: `direct ${group.directKey}`,
  mark: () => <Icon name="people" />,
  run: () => goTo(directNarrow(peopleOfKey(group.directKey))),
});

const commandsHere = (): readonly Command[] =>
  commands.filter(
    ({ id, views }) => id !== "palette" && (!views || views.includes(place.value.view)),
  );

const commandToRun = ({ id, run }: Command): Destination => ({
  key: `command ${id}`,
  name: keyWords.commands[id],
  recency: 0,
  mark: () => <Icon name="right" />,
  where: () => keysOf(id) !== "" && <kbd>{keysOf(id)}</kbd>,
  run,
});

const settingToGoTo = (section: SectionName): Destination => ({
  key: `settings ${section}`,
  name: words.views.sections[section],
  otherWords: words.views.settings,
  recency: 0,
  mark: () => <Icon name="gear" />,
  where: () => <small>{words.views.settings}</small>,
  run: () => {
    location.hash = `#settings/${section}`;
  },
});

/** The entry for a message that was found. */
export function messageToGoTo(message: FlaggedMessage): Destination {
  const { id, stream_id: channelId, subject } = message;
  const sender = senderOf(message);
  const conversation =
    channelId === undefined
      ? directName(peopleOfKey(conversationKey(message, me.value)))
      : `${channelName(channelId)} › ${topicName(subject)}`;
  return {
    key: `message ${id}`,
    name: firstWords(wordsOf(message)),
    recency: id,
    mark: () => <Face user={sender} sign={undefined} />,
    where: () => (
      <small dir="auto">
        {sender.full_name} · {conversation}
      </small>
    ),
    run: () => goTo(placeNarrow(message, me.value)),
  };
}

/** The entry that searches all messages for a text. */
export const searchToRun = (text: string, run: () => void): Destination => ({
  key: "search",
  name: keyWords.searchFor(text),
  recency: 0,
  mark: () => <Icon name="search" />,
  run,
});
