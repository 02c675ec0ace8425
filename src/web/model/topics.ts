import { byKey, change, put, withMembers, withoutKeys } from "./copies";
import { deletedBy } from "./unread";
import type { Event, EventOf } from "./wire";

/** A topic of a channel, as the server lists it. */
export interface Topic {
  /** The name, as its newest message spells it. */
  readonly name: string;
  /** The id of its newest message. */
  readonly max_id: number;
}

/** The topics of one channel, by their lower-case names. */
type ChannelTopics = ReadonlyMap<string, Topic>;

/**
 * The topics of channels whose lists were loaded, by channel id. A list is removed when an event
 * does not tell which message is now the newest of a topic. A view that shows the list then loads
 * it again.
 */
export type Topics = ReadonlyMap<number, ChannelTopics>;

const keyOf = ({ name }: Topic) => name.toLowerCase();

/** Topics, with the loaded list of a channel added. */
export const withTopics = (topics: Topics, channelId: number, list: readonly Topic[]): Topics =>
  put(topics, channelId, byKey(list, keyOf));

/** The topics of a list; the topic with the newest message comes first. */
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

/** The greatest id. There may be more ids than a function call can have arguments. */
const newestOf = (ids: readonly number[]): number =>
  ids.reduce((newest, id) => Math.max(newest, id), 0);

/**
 * Topics after messages have left one of them. If its newest message was among them, the whole list
 * is removed.
 */
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
