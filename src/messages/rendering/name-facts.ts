import { topicKey } from "../../channels/topics/empty-topic";
import type { Linkifier } from "../../markdown/linkifiers";
import type {
  CustomEmoji,
  LinkedChannel,
  MentionedGroup,
  MentionedPerson,
  Names,
  UploadedPicture,
} from "../../markdown/names";

/**
 * Meanings of the names in one text, as plain data, because the thread that renders long texts gets
 * a copy. It holds nothing about people, groups and channels that the HTML cannot show.
 */
export interface NameFacts {
  people?: readonly MentionedPerson[];
  groups?: ReadonlyMap<string, MentionedGroup>;
  channels?: readonly LinkedChannel[];
  /** The newest messages of topics, by `factKey`. */
  topics?: ReadonlyMap<string, number>;
  emoji?: ReadonlyMap<string, CustomEmoji>;
  translatesEmoticons?: boolean;
  linkifiers?: readonly Linkifier[];
  sites?: readonly string[];
  previewsImages?: boolean;
  /** The uploaded files that exist for the author, by their address; pictures with their facts. */
  uploads?: ReadonlyMap<string, UploadedPicture | undefined>;
}

/** Key of a channel's topic in `NameFacts`. */
export const factKey = (channelId: number, topic: string): string =>
  `${channelId} ${topicKey(topic)}`;

/** The facts in the form that the renderer asks. */
export function namesFrom(facts: NameFacts): Names {
  const { people, groups, channels, topics, emoji, uploads, ...others } = facts;
  return {
    ...others,
    ...(people && { person: personIn(people) }),
    ...(groups && { group: (name) => groups.get(name) }),
    ...(channels && { channel: (name) => channels.find((channel) => channel.name === name) }),
    ...(topics && { topic: (channelId, topic) => topics.get(factKey(channelId, topic)) }),
    ...(emoji && { emoji: (name) => emoji.get(name) }),
    ...(uploads && {
      isUploaded: (address) => uploads.has(address),
      picture: (address) => uploads.get(address),
    }),
  };
}

/**
 * The person of a mention. An id takes precedence over a name, and both must belong to one person.
 * Capitals do not matter where nobody has the name exactly. Among several people with one name, the
 * one that was found is used.
 */
const personIn =
  (people: readonly MentionedPerson[]) =>
  (name: string, id: number | undefined): MentionedPerson | undefined => {
    const folded = name.toLowerCase();
    const hasName = ({ fullName }: MentionedPerson) => fullName.toLowerCase() === folded;
    return id === undefined
      ? (people.find(({ fullName }) => fullName === name) ?? people.find(hasName))
      : people.find((person) => person.id === id && (name === "" || hasName(person)));
  };
