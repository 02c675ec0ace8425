import { byKey, change, put, withMembers, withoutKeys } from "./copies";
import { deletedBy } from "./unread";
import type { Event, EventOf } from "./wire";

/** A topic of a channel, as the server lists it. */
export interface Topic {
  /** Name as its newest message spells it. */
  readonly name: string;
  /** The id of its newest message. */
  readonly max_id: number;
}

/** Topics of one channel, by their names in lower case. */
export type ChannelTopics = ReadonlyMap<string, Topic>;

/**
 * Topics of the channels whose lists were loaded, by the channel's id. A list goes away with an
 * event that does not tell what is the newest message of a topic now: whoever shows it asks again.
 */
export type Topics = ReadonlyMap<number, ChannelTopics>;

const keyOf = ({ name }: Topic) => name.toLowerCase();

/** Topics with the list of a channel that was asked for. */
export const withTopics = (topics: Topics, channelId: number, list: readonly Topic[]): Topics =>
  put(topics, channelId, byKey(list, keyOf));

/** Topics of a list with the one of the newest message first. */
export const newestFirst = (topics: ChannelTopics): readonly Topic[] =>
  [...topics.values()].sort((a, b) => b.max_id - a.max_id);

export function applyTopics(topics: Topics, event: Event): Topics {
  switch (event.type) {
    case "message": {
      const { stream_id: channelId, subject, id } = event.message;
      return channelId === undefined ? topics : withMessage(topics, channelId, subject, id);
    }
    case "update_message":
      return withMoved(topics, event);
    case "delete_message":
      return event.message_type === "stream"
        ? withoutMessages(topics, event.stream_id, event.topic, deletedBy(event))
        : topics;
    case "stream":
      return event.op === "delete" ? withoutKeys(topics, event.stream_ids) : topics;
    default:
      return topics;
  }
}

function withMessage(topics: Topics, channelId: number, name: string, id: number): Topics {
  return change(topics, channelId, (list) => {
    const key = name.toLowerCase();
    const before = list.get(key);
    if (before === undefined) return put(list, key, { name, max_id: id });
    return id < before.max_id ? list : put(list, key, withMembers(before, { name, max_id: id }));
  });
}

function withMoved(topics: Topics, event: EventOf<"update_message">): Topics {
  const { orig_subject, subject = orig_subject, stream_id: from, message_ids: ids } = event;
  if (orig_subject === undefined || subject === undefined || from === undefined) return topics;
  const left = withoutMessages(topics, from, orig_subject, ids);
  return withMessage(left, event.new_stream_id ?? from, subject, newestOf(ids));
}

/** The newest of some messages, which may be more than a call may have arguments. */
const newestOf = (ids: readonly number[]): number =>
  ids.reduce((newest, id) => Math.max(newest, id), 0);

/** Topics after messages went away from one: its list too, where its newest message was there. */
function withoutMessages(
  topics: Topics,
  channelId: number,
  name: string,
  ids: readonly number[],
): Topics {
  const topic = topics.get(channelId)?.get(name.toLowerCase());
  const isNewestGone = topic !== undefined && ids.includes(topic.max_id);
  return isNewestGone ? withoutKeys(topics, [channelId]) : topics;
}
