import { withoutKeys } from "../model/copies";
import type { FlaggedMessage, Messages } from "../model/message";
import { belongs, factsOf, type Narrow } from "../model/narrow";
import { stayingNarrow } from "../model/narrow-kind";
import type { Model } from "../model/snapshot";
import type { Event, EventOf } from "../model/wire";

/** The place at which a feed starts: the first unread message, or an end. */
export type FeedStart = "unread" | "oldest" | "newest";

/** The content and topic of a message as HTML with the words of a search marked. */
export interface Match {
  readonly content: string;
  readonly topic: string;
}

/** Why messages of a feed could not be loaded, and whether they come after the loaded ones. */
interface FeedRefusal {
  readonly why: string;
  readonly isBelow: boolean;
}

/** The loaded messages of a narrow, ascending and without gaps. */
export interface Feed {
  readonly narrow: Narrow;
  readonly messages: readonly FlaggedMessage[];
  readonly isOldest: boolean;
  readonly isNewest: boolean;
  /** Whether any answer has arrived yet. */
  readonly isLoaded: boolean;
  /** Why the last request failed, and at which end of the messages others are missing. */
  readonly refusal: FeedRefusal | undefined;
  /** The message at which the feed was opened; undefined if it was opened at its start. */
  readonly openedAt: number | undefined;
  /** The distance of that message from the top, in pixels; undefined if it does not matter. */
  readonly openedTop: number | undefined;
  /** Where the feed starts if it was not opened at a message. */
  readonly start: FeedStart;
  /** The matches of a search, by message id. */
  readonly matches: ReadonlyMap<number, Match>;
  /** Whether the server is still indexing its newest messages, so that some may be missing. */
  readonly isIncomplete: boolean;
  /** Whether events were missed, so that its messages must be loaded again. */
  readonly isStale: boolean;
  /**
   * The number of times that the feed was loaded from nothing. Answers to an earlier load are
   * dropped.
   */
  readonly generation: number;
}

/**
 * Merges two lists of messages: ascending, each message once. The second list has the newer
 * versions.
 */
export function merged(
  before: readonly FlaggedMessage[],
  more: readonly FlaggedMessage[],
): readonly FlaggedMessage[] {
  const [first] = more;
  if (!first) return before;
  // New messages arrive one at a time, and the feed may have thousands.
  if (first.id > (before.at(-1)?.id ?? 0) && isAscending(more)) return [...before, ...more];
  const byId = new Map([...before, ...more].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

const isAscending = (messages: readonly FlaggedMessage[]): boolean =>
  messages.every(({ id }, index) => index === 0 || id > (messages[index - 1]?.id ?? 0));

/** Whether the id of a message that belongs to a feed is within the loaded part. */
export function covers({ messages, isOldest, isNewest }: Feed, id: number): boolean {
  const [first] = messages;
  const last = messages.at(-1);
  const isAfterFirst = isOldest || (first !== undefined && id >= first.id);
  return isAfterFirst && (isNewest || (last !== undefined && id <= last.id));
}

/**
 * Whether a feed can be shown now: at a message, or, without one, at its newest end, or at its
 * start if it was opened there.
 */
export function isReady(feed: Feed, messageId: number | undefined): boolean {
  if (messageId !== undefined) return feed.messages.some(({ id }) => id === messageId);
  return feed.isLoaded && (feed.isNewest || feed.openedAt === undefined);
}

/** The greatest number of messages that all feeds hold together. */
const messagesMax = 5_000;
/** The number of loaded messages that may belong to no feed, before they are dropped. */
const strayMax = 1_000;

/** Shortens a feed that is too long, at the end opposite to the one at which it grew. */
export function shortened(feed: Feed, end: "around" | "older" | "newer"): Feed {
  if (feed.messages.length <= messagesMax) return feed;
  return end === "newer"
    ? { ...feed, messages: feed.messages.slice(-messagesMax), isOldest: false }
    : { ...feed, messages: feed.messages.slice(0, messagesMax), isNewest: false };
}

type Feeds = ReadonlyMap<string, Feed>;

/**
 * Drops the feeds that were not open for the longest time, if all feeds together have too many
 * messages.
 */
export function latestFeeds(feeds: Feeds): Feeds {
  let count = 0;
  const kept = [...feeds].reverse().filter(([, { messages }], index) => {
    count += messages.length;
    return index === 0 || count <= messagesMax;
  });
  return kept.length < feeds.size ? new Map(kept.reverse()) : feeds;
}

/** The loaded messages with newer versions added. */
export const withMessages = (before: Messages, more: readonly FlaggedMessage[]): Messages =>
  new Map([...before, ...more.map((message) => [message.id, message] as const)]);

/** The loaded messages without those that belong to no feed, if there are many of these. */
export function withoutStrays(loaded: Messages, feeds: Feeds): Messages {
  const lists = [...feeds.values()].map(({ messages }) => messages);
  const count = lists.reduce((sum, { length }) => sum + length, 0);
  if (loaded.size <= count + strayMax) return loaded;
  const ids = new Set(lists.flatMap((messages) => messages.map(({ id }) => id)));
  return new Map([...loaded].filter(([id]) => ids.has(id)));
}

/** The messages as they are now, and the ids of those that may be new to a feed. */
interface Change {
  readonly messages: Messages;
  readonly candidateIds: readonly number[];
  readonly events: readonly Event[];
  readonly model: Model;
}

/**
 * Ids of messages that enter a feed through reactions or marks as unread, if the feed is about
 * these. Such events are frequent, and concern few feeds.
 */
const askedFor = ({ narrow }: Feed, events: readonly Event[]): readonly number[] =>
  narrow.flatMap(({ operator, operand, negated }) => {
    if (negated) return [];
    if (operator === "has" && operand === "reaction")
      return events.flatMap((event) =>
        event.type === "reaction" && event.op === "add" ? [event.message_id] : [],
      );
    return operator === "is" && operand === "unread" ? events.flatMap(unreadBy) : [];
  });

const unreadBy = (event: Event): readonly number[] =>
  event.type === "update_message_flags" && event.op === "remove" && event.flag === "read"
    ? event.messages
    : [];

/** Ids of messages that may be new to a feed. */
const candidateIdsFor = (feed: Feed, { candidateIds, events }: Change): readonly number[] => [
  ...candidateIds,
  ...askedFor(feed, events),
];

/** Whether changed messages that a narrow has shown stay in it. */
export function stayingIn(narrow: Narrow, model: Model): (message: FlaggedMessage) => boolean {
  const staying = stayingNarrow(narrow);
  return (message) => belongs(message, staying, factsOf(model, message)) !== false;
}

/** A feed after events: deleted and moved messages leave it, and others are added. */
export function feedAfter(feed: Feed, change: Change): Feed {
  const { messages, model } = change;
  const stays = stayingIn(feed.narrow, model);
  const left = feed.messages.flatMap((message) => {
    const now = messages.get(message.id);
    if (now === message) return [message];
    return now && stays(now) ? [now] : [];
  });
  const joining = candidateIdsFor(feed, change).flatMap((id) => {
    const message = covers(feed, id) ? messages.get(id) : undefined;
    return message && belongs(message, feed.narrow, factsOf(model, message)) ? [message] : [];
  });
  const after = merged(left, joining);
  const isSame =
    after.length === feed.messages.length &&
    after.every((message, index) => message === feed.messages[index]);
  if (isSame) return feed;
  return { ...feed, messages: after, matches: withoutChanged(feed, messages) };
}

/** The matches of messages whose content and topic have not changed since the search. */
function withoutChanged({ matches, messages }: Feed, now: Messages): Feed["matches"] {
  if (matches.size === 0) return matches;
  const changed = messages.filter(({ id, content, subject }) => {
    const message = now.get(id);
    return message?.content !== content || message.subject !== subject;
  });
  return withoutKeys(
    matches,
    changed.map(({ id }) => id),
  );
}

/** Arrived messages about which only the server can decide whether they belong to a feed. */
export function undecided(feed: Feed, change: Change): readonly number[] {
  const { messages, model } = change;
  return candidateIdsFor(feed, change).filter((id) => {
    const message = covers(feed, id) ? messages.get(id) : undefined;
    return (
      message !== undefined && belongs(message, feed.narrow, factsOf(model, message)) === undefined
    );
  });
}

/**
 * Ids of messages that events may add to feeds, because they arrived, were moved, or were changed.
 */
export function candidateIdsIn(events: readonly Event[]): readonly number[] {
  return events.flatMap((event) => {
    if (event.type === "message") return [event.message.id];
    if (event.type === "update_message") {
      if (event.orig_subject !== undefined) return event.message_ids;
      return event.rendered_content === undefined ? [] : [event.message_id];
    }
    const isFlagged =
      event.type === "update_message_flags" && event.op === "add" && event.flag !== "read";
    return isFlagged ? event.messages : [];
  });
}

const flagOperands = ["starred", "mentioned", "alerted"];

/** Whether the flags of a message that is not loaded may have added it to a feed. */
export function mayMissMessages(feed: Feed, { messages, candidateIds }: Change): boolean {
  const isOfFlags = feed.narrow.some(
    ({ operator, operand }) => operator === "is" && flagOperands.includes(operand),
  );
  return isOfFlags && candidateIds.some((id) => !messages.has(id) && covers(feed, id));
}

/**
 * Whether events change which messages belong to a feed of followed or muted topics, including
 * messages that are not loaded.
 */
export const isChosenAnew = ({ narrow }: Feed, events: readonly Event[]): boolean =>
  narrow.some(isOfChoices) && events.some(isChoice);

const isOfChoices = ({ operator, operand }: Narrow[number]): boolean =>
  (operator === "in" && operand === "home") ||
  (operator === "is" && (operand === "followed" || operand === "muted"));

/** Joining or leaving a muted channel also changes which messages are muted. */
const isChoice = (event: Event): boolean =>
  event.type === "user_topic" ||
  (event.type === "subscription" &&
    (event.op === "add" ||
      event.op === "remove" ||
      (event.op === "update" && event.property === "is_muted")));

/** An event that moves messages to another conversation. */
type Move = EventOf<"update_message">;

const isMove = (event: Event): event is Move =>
  event.type === "update_message" && event.orig_subject !== undefined;

/** Ids of moved messages that may belong to a feed now, but are not in it. */
function movedInto(feed: Feed, move: Move): readonly number[] {
  const { orig_subject, stream_id: from, message_ids: ids } = move;
  const channelId = move.new_stream_id ?? from;
  const topic = move.subject ?? orig_subject ?? "";
  const isHere = feed.narrow.every((term) => {
    if (term.negated) return true;
    if (term.operator === "channel") return term.operand === channelId;
    if (term.operator === "topic") return term.operand.toLowerCase() === topic.toLowerCase();
    return term.operator !== "dm";
  });
  if (!isHere) return [];
  return missingFrom(feed, ids);
}

/** Whether an event may add to feeds messages that are not loaded. */
export const mayAddMessages = (event: Event): boolean =>
  isMove(event) || event.type === "reaction" || event.type === "update_message_flags";

/** Ids of messages that events may have added to a feed, but that it does not hold. */
export const idsToLoad = (feed: Feed, events: readonly Event[]): readonly number[] => [
  ...events.filter(isMove).flatMap((move) => movedInto(feed, move)),
  ...missingFrom(feed, askedFor(feed, events)),
];

function missingFrom(feed: Feed, ids: readonly number[]): readonly number[] {
  const present = new Set(feed.messages.map(({ id }) => id));
  return ids.filter((id) => !present.has(id) && covers(feed, id));
}
