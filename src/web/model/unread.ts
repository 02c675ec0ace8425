import { topicPolicies } from "../../protocol/topics";
import { type Channels, isSubscribed } from "./channels";
import { directKey, peopleOf, topicKey } from "./conversations";
import { changeEach, put, withAll, withEntries, withoutAll } from "./copies";
import type { Model } from "./snapshot";
import { policyOf, type UserTopics } from "./user-topics";
import type { Event, EventOf, Message, Register } from "./wire";

/** The unread messages of a topic. */
interface UnreadTopic {
  readonly channelId: number;
  /** The name of the topic, as its newest unread message spells it. */
  readonly topic: string;
  /** Ids of messages, ascending. */
  readonly ids: readonly number[];
}

/** The person's unread messages. */
export interface Unread {
  /**
   * Topics by `topicKey`. Topics of channels that the person has left are included, but not
   * counted.
   */
  readonly topics: ReadonlyMap<string, UnreadTopic>;
  /** Ids of direct messages, ascending, by `directKey`. */
  readonly direct: ReadonlyMap<string, readonly number[]>;
  /** Ids of unread messages that mention the person. */
  readonly mentions: ReadonlySet<number>;
  /** Whether there may be older unread messages that the server has not listed. */
  readonly isCut: boolean;
}

export function unreadFrom({ unread_msgs: counts, user_id: me }: Register): Unread {
  const topics = counts.streams.map(
    ({ stream_id, topic, unread_message_ids: ids }): UnreadTopic => ({
      channelId: stream_id,
      topic,
      ids,
    }),
  );
  const direct = [
    ...counts.pms.map(({ other_user_id, unread_message_ids: ids }) => ({
      people: [other_user_id],
      ids,
    })),
    ...counts.huddles.map(({ user_ids_string, unread_message_ids: ids }) => ({
      people: user_ids_string.split(",").map(Number),
      ids,
    })),
  ];
  return {
    topics: new Map(topics.map((one) => [topicKey(one.channelId, one.topic), one])),
    direct: new Map(direct.map(({ people, ids }) => [directKey(people, me), ids])),
    mentions: new Set(counts.mentions),
    isCut: counts.old_unreads_missing,
  };
}

export function applyUnread(unread: Unread, event: Event, model: Model): Unread {
  switch (event.type) {
    case "message":
      return event.flags.includes("read") ? unread : withArrived(unread, event, model);
    case "update_message":
      return withContentOf(withMoved(unread, event, model), event, model);
    case "delete_message":
      return without(unread, deletedBy(event));
    case "update_message_flags":
      return event.flag === "read" ? withReading(unread, event, model) : unread;
    default:
      return unread;
  }
}

/** Ids of the messages that an event deletes. */
export const deletedBy = (event: EventOf<"delete_message">): readonly number[] =>
  "message_ids" in event ? event.message_ids : [event.message_id];

type Place = { channelId: number; topic: string } | { people: readonly number[] };

const placeOf = (message: Message): Place =>
  message.stream_id === undefined
    ? { people: peopleOf(message) }
    : { channelId: message.stream_id, topic: message.subject };

function withArrived(unread: Unread, { message, flags }: EventOf<"message">, model: Model): Unread {
  const place = placeOf(message);
  const after = withUnread(unread, [message.id], place, model.me);
  return isMention(flags, place, model) ? withMention(after, message.id) : after;
}

const withMention = (unread: Unread, id: number): Unread => ({
  ...unread,
  mentions: withAll(unread.mentions, [id]),
});

/**
 * Whether a message with these flags counts as a mention. A wildcard mention does not count in a
 * muted place.
 */
function isMention(flags: readonly string[], place: Place | undefined, model: Model): boolean {
  if (flags.includes("mentioned")) return true;
  if (!flags.includes("wildcard_mentioned")) return false;
  return (
    place === undefined || !("topic" in place) || !isMuted(model, place.channelId, place.topic)
  );
}

/** Whether a topic is muted, by its own policy or else with its channel. */
export function isMuted(
  { channels, userTopics }: { channels: Channels; userTopics: UserTopics },
  channelId: number,
  topic: string,
): boolean {
  const policy = policyOf(userTopics, channelId, topic);
  if (policy !== topicPolicies.inherit) return policy === topicPolicies.muted;
  return channels.get(channelId)?.is_muted ?? false;
}

function withUnread(unread: Unread, ids: readonly number[], place: Place, me: number): Unread {
  if ("topic" in place) return { ...unread, topics: withTopicIds(unread.topics, ids, place) };
  const key = directKey(place.people, me);
  const direct = new Map(unread.direct).set(key, merged(unread.direct.get(key), ids));
  return { ...unread, direct };
}

function withTopicIds(
  topics: Unread["topics"],
  ids: readonly number[],
  place: { channelId: number; topic: string },
): Unread["topics"] {
  const key = topicKey(place.channelId, place.topic);
  return put(topics, key, topicWith(topics.get(key), ids, place));
}

/** A topic with more unread messages, whose ids ascend. */
function topicWith(
  before: UnreadTopic | undefined,
  ids: readonly number[],
  { channelId, topic }: { channelId: number; topic: string },
): UnreadTopic {
  const isNewest = (ids.at(-1) ?? 0) >= (before?.ids.at(-1) ?? 0);
  return {
    channelId,
    topic: before && !isNewest ? before.topic : topic,
    ids: merged(before?.ids, ids),
  };
}

/** Merges two ascending lists of ids. In most cases all ids of the second are greater. */
function merged(before: readonly number[] = [], more: readonly number[]): readonly number[] {
  const [newest = 0] = before.slice(-1);
  const all = [...before, ...more];
  return (more[0] ?? 0) > newest ? all : [...new Set(all)].sort((a, b) => a - b);
}

/** Unread messages without messages that were read or deleted. */
function without(unread: Unread, ids: readonly number[]): Unread {
  const gone = new Set(ids);
  const topics = changeEach(unread.topics, (one) => {
    const left = idsLeft(one.ids, gone);
    if (left === one.ids) return one;
    return left.length === 0 ? undefined : { ...one, ids: left };
  });
  const direct = changeEach(unread.direct, (before) => {
    const left = idsLeft(before, gone);
    return left.length === 0 ? undefined : left;
  });
  const mentions = withoutAll(unread.mentions, ids);
  const isSame =
    topics === unread.topics && direct === unread.direct && mentions === unread.mentions;
  return isSame ? unread : { ...unread, topics, direct, mentions };
}

function idsLeft(ids: readonly number[], gone: ReadonlySet<number>): readonly number[] {
  const left = ids.filter((id) => !gone.has(id));
  return left.length === ids.length ? ids : left;
}

function withReading(unread: Unread, event: EventOf<"update_message_flags">, model: Model): Unread {
  if (event.op === "add") return event.all ? nothingOf(unread) : without(unread, event.messages);
  const rows = event.messages
    .toSorted((one, other) => one - other)
    .flatMap((id) => {
      const details = event.message_details?.[id];
      return details ? [{ id, ...details }] : [];
    });
  if (rows.length === 0) return unread;
  const topics = Map.groupBy(
    rows.flatMap((row) => (row.type === "stream" ? [row] : [])),
    ({ stream_id, topic }) => topicKey(stream_id, topic),
  );
  const direct = Map.groupBy(
    rows.flatMap((row) => (row.type === "stream" ? [] : [row])),
    ({ user_ids }) => directKey(user_ids, model.me),
  );
  return {
    ...unread,
    topics: withEntries(
      unread.topics,
      [...topics].flatMap(([key, group]) => {
        const newest = group.at(-1);
        if (!newest) return [];
        const place = { channelId: newest.stream_id, topic: newest.topic };
        return [[key, topicWith(unread.topics.get(key), idsOf(group), place)] as const];
      }),
    ),
    direct: withEntries(
      unread.direct,
      [...direct].map(([key, group]) => [key, merged(unread.direct.get(key), idsOf(group))]),
    ),
    mentions: withAll(unread.mentions, idsOf(rows.filter(({ mentioned }) => mentioned))),
  };
}

const idsOf = (rows: readonly { readonly id: number }[]): readonly number[] =>
  rows.map(({ id }) => id);

const nothingOf = ({ isCut }: Unread): Unread => ({
  topics: new Map(),
  direct: new Map(),
  mentions: new Set(),
  isCut,
});

/**
 * Unread messages after a move. They stay unread in the new place, unless the person is not
 * subscribed to its channel: there they do not count.
 */
function withMoved(unread: Unread, event: EventOf<"update_message">, model: Model): Unread {
  const { message_ids: ids, orig_subject, subject, stream_id: from } = event;
  if (orig_subject === undefined || from === undefined) return unread;
  const to = event.new_stream_id ?? from;
  const asked = new Set(ids);
  const moving = [...unread.topics.values()].flatMap((one) => {
    const moved = one.ids.filter((id) => asked.has(id));
    return moved.length === 0 ? [] : [{ moved, topic: subject ?? one.topic }];
  });
  if (moving.length === 0) return unread;
  const isIn = isSubscribed(model.channels, to);
  const movedIds = moving.flatMap(({ moved }) => moved);
  const rest = without(unread, movedIds);
  if (!isIn) return rest;
  const topics = moving.reduce(
    (all, { moved, topic }) => withTopicIds(all, moved, { channelId: to, topic }),
    rest.topics,
  );
  return { ...rest, topics, mentions: unread.mentions };
}

/** After an edit, a message may mention other people than before. */
function withContentOf(unread: Unread, event: EventOf<"update_message">, model: Model): Unread {
  if (event.content === undefined) return unread;
  const { message_id: id, flags } = event;
  const place = [...unread.topics.values()].find(({ ids }) => ids.includes(id));
  const isMentioned = !flags.includes("read") && isMention(flags, place, model);
  const mentions = isMentioned ? withAll(unread.mentions, [id]) : withoutAll(unread.mentions, [id]);
  return mentions === unread.mentions ? unread : { ...unread, mentions };
}

/** The number of unread messages in a topic. */
export const unreadInTopic = ({ topics }: Unread, channelId: number, topic: string): number =>
  topics.get(topicKey(channelId, topic))?.ids.length ?? 0;

/** The number of unread messages in a direct conversation. */
export const unreadInDirect = ({ direct }: Unread, key: string): number =>
  direct.get(key)?.length ?? 0;

/** The unread counts of a channel, as the rail shows them. */
interface ChannelCounts {
  /** Messages in topics that are not muted. */
  readonly count: number;
  readonly mutedCount: number;
}

/** The unread counts of each subscribed channel, by channel id. */
export function unreadByChannel(
  unread: Unread,
  model: Pick<Model, "channels" | "userTopics">,
): ReadonlyMap<number, ChannelCounts> {
  const counts = new Map<number, ChannelCounts>();
  for (const { channelId, topic, ids } of unread.topics.values()) {
    if (!isSubscribed(model.channels, channelId)) continue;
    const { count, mutedCount } = counts.get(channelId) ?? { count: 0, mutedCount: 0 };
    counts.set(
      channelId,
      isMuted(model, channelId, topic)
        ? { count, mutedCount: mutedCount + ids.length }
        : { count: count + ids.length, mutedCount },
    );
  }
  return counts;
}
