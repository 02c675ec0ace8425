import { topicPolicies } from "../../protocol/topics";
import { type Channel, type Channels, isSubscribed } from "./channels";
import type { Model } from "./snapshot";
import { isMuted } from "./unread";
import { policyOf } from "./user-topics";

/** The features of the model from which the inbox is computed. */
export type InboxModel = Pick<Model, "unread" | "channels" | "userTopics" | "mutedUsers">;

/** A conversation with unread messages. */
export interface InboxLine {
  /** The key of the conversation. */
  readonly key: string;
  /** The topic, if it is in a channel; undefined for a direct conversation. */
  readonly topic: string | undefined;
  /** Ids of its unread messages, ascending. */
  readonly ids: readonly number[];
  readonly hasMention: boolean;
  readonly isFollowed: boolean;
}

/** The conversations of one channel, or, without a channel, the direct conversations. */
export interface InboxSection {
  readonly channel: Channel | undefined;
  readonly lines: readonly InboxLine[];
}

/** All unread conversations in reading order, and separately the muted ones. */
export interface Inbox {
  readonly sections: readonly InboxSection[];
  readonly muted: readonly InboxSection[];
}

/** A line with the id of its channel. A direct conversation has no channel. */
interface PlacedLine {
  readonly channelId: number | undefined;
  readonly line: InboxLine;
  readonly isMuted: boolean;
}

/**
 * The inbox: direct conversations first, then channels in the order of the rail. Conversations are
 * sorted by their newest message. Channels without unread messages are not looked at, because there
 * can be thousands of them, and the inbox is computed anew with each message.
 */
export function inboxOf(model: InboxModel): Inbox {
  const { unread, channels, userTopics, mutedUsers } = model;
  const hasMention = (ids: readonly number[]) => ids.some((id) => unread.mentions.has(id));
  const direct = [...unread.direct].map(([key, ids]): PlacedLine => {
    const isMuted = key.split(",").every((id) => mutedUsers.has(Number(id)));
    const line = { key, topic: undefined, ids, hasMention: hasMention(ids), isFollowed: false };
    return { channelId: undefined, line, isMuted };
  });
  const topics = [...unread.topics]
    .filter(([, { channelId }]) => isSubscribed(channels, channelId))
    .map(([key, { channelId, topic, ids }]): PlacedLine => {
      const isFollowed = policyOf(userTopics, channelId, topic) === topicPolicies.followed;
      const line = { key, topic, ids, hasMention: hasMention(ids), isFollowed };
      return { channelId, line, isMuted: isMuted(model, channelId, topic) };
    });
  const all = [...direct, ...topics];
  const sectionsWhere = (areMuted: boolean) =>
    sectionsOf(
      all.filter((one) => one.isMuted === areMuted),
      channels,
    );
  return { sections: sectionsWhere(false), muted: sectionsWhere(true) };
}

const sectionsOf = (all: readonly PlacedLine[], channels: Channels): readonly InboxSection[] =>
  [...Map.groupBy(all, ({ channelId }) => channelId)]
    .map(([channelId, placed]) => ({
      channel: channelId === undefined ? undefined : channels.get(channelId),
      lines: placed.map(({ line }) => line).sort(newestFirst),
    }))
    .sort((one, other) => inRailOrder(one.channel, other.channel));

const newest = ({ ids }: InboxLine): number => ids.at(-1) ?? 0;
const newestFirst = (one: InboxLine, other: InboxLine): number => newest(other) - newest(one);

function inRailOrder(one: Channel | undefined, other: Channel | undefined): number {
  if (!one || !other) return Number(one !== undefined) - Number(other !== undefined);
  return (
    Number(other.pin_to_top ?? false) - Number(one.pin_to_top ?? false) ||
    Number(one.is_muted ?? false) - Number(other.is_muted ?? false) ||
    one.name.localeCompare(other.name)
  );
}

/** The sections, each with only some of its lines. Empty sections are removed. */
export const sectionsWith = (
  sections: readonly InboxSection[],
  isShown: (line: InboxLine, section: InboxSection) => boolean,
): readonly InboxSection[] =>
  sections
    .map((section) => ({
      ...section,
      lines: section.lines.filter((line) => isShown(line, section)),
    }))
    .filter(({ lines }) => lines.length > 0);

/** The first lines of all sections, in reading order. */
export function firstLines(
  sections: readonly InboxSection[],
  most: number,
): readonly InboxSection[] {
  let count = 0;
  return sectionsWith(sections, () => {
    count += 1;
    return count <= most;
  });
}

/** The number of conversations in sections. */
export const lineCountOf = (sections: readonly InboxSection[]): number =>
  sections.reduce((sum, { lines }) => sum + lines.length, 0);

/** The number of messages in sections. */
export const countOf = (sections: readonly InboxSection[]): number =>
  sections.reduce((sum, { lines }) => lines.reduce((all, { ids }) => all + ids.length, sum), 0);

/** Values of the setting for what the title of the page counts. */
export const counted = { all: 1, forMeAndFollowed: 2, forMe: 3, none: 4 } as const;

/**
 * The count in the title of the page, according to the person's setting
 * `desktop_icon_count_display`. `mentions` are ids of unread messages that mention the person.
 */
export function titleCountOf(
  { sections }: Inbox,
  setting: number,
  mentions: ReadonlySet<number>,
): number {
  if (setting === counted.none) return 0;
  if (setting === counted.all) return countOf(sections);
  return sections.reduce(
    (sum, { channel, lines }) =>
      lines.reduce((all, { ids, isFollowed }) => {
        const isWhole =
          channel === undefined || (isFollowed && setting === counted.forMeAndFollowed);
        return all + (isWhole ? ids : ids.filter((id) => mentions.has(id))).length;
      }, sum),
    0,
  );
}

/** A conversation with unread messages, and the channel if it is a topic. */
interface UnreadConversation extends InboxLine {
  readonly channelId: number | undefined;
}

/** Kinds of unread conversations, each with a key that goes to the next one. */
export type UnreadKind = "topic" | "direct" | "followed";

/**
 * The next unread conversation of a kind after the current one, in the order of the inbox; after
 * the last comes the first. The current conversation itself is never returned. `current` is its
 * key.
 */
export function nextUnread(
  { sections }: Inbox,
  kind: UnreadKind,
  current: string | undefined,
): UnreadConversation | undefined {
  const all = sections.flatMap(({ channel, lines }) =>
    lines.map((line): UnreadConversation => ({ ...line, channelId: channel?.stream_id })),
  );
  const index = all.findIndex(({ key }) => key === current);
  const inTurn = [...all.slice(index + 1), ...all.slice(0, Math.max(index, 0))];
  return inTurn.find(({ channelId, isFollowed }) =>
    kind === "direct"
      ? channelId === undefined
      : channelId !== undefined && (kind === "topic" || isFollowed),
  );
}
