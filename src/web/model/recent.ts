import { conversationKey, peopleOf, topicKey } from "./conversations";
import { changeEach, put, withMembers, withoutKeys } from "./copies";
import { deletedBy } from "./unread";
import type { Event, EventOf, Message } from "./wire";

/** The part of a message that says when it was sent, and who takes part in its conversation. */
interface Trace {
  readonly id: number;
  readonly key: string;
  readonly channelId: number | undefined;
  readonly topic: string;
  /** Ids of the people of a direct message. */
  readonly people: readonly number[];
  readonly senderId: number;
  readonly timestamp: number;
}

/** Traces of loaded messages, by message id. */
export type Traces = ReadonlyMap<number, Trace>;

/** A conversation as the list of recent conversations shows it. */
export interface RecentConversation {
  readonly key: string;
  readonly channelId: number | undefined;
  /** The name of the topic, as its newest message spells it. */
  readonly topic: string;
  readonly people: readonly number[];
  readonly newestId: number;
  /** When its newest message was sent (UNIX seconds). */
  readonly timestamp: number;
  /** Ids of the senders, the latest first. */
  readonly senders: readonly number[];
}

const traceOf = (message: Message, me: number): Trace => ({
  id: message.id,
  key: conversationKey(message, me),
  channelId: message.stream_id,
  topic: message.subject,
  people: peopleOf(message),
  senderId: message.sender_id,
  timestamp: message.timestamp,
});

/** Traces, with the traces of loaded messages added. */
export const withTraces = (traces: Traces, messages: readonly Message[], me: number): Traces =>
  new Map([...traces, ...messages.map((message) => [message.id, traceOf(message, me)] as const)]);

/** Traces after an event. */
export function applyTraces(traces: Traces, event: Event, me: number): Traces {
  switch (event.type) {
    case "message":
      return put(traces, event.message.id, traceOf(event.message, me));
    case "delete_message":
      return withoutKeys(traces, deletedBy(event));
    case "update_message":
      return withMoved(traces, event);
    default:
      return traces;
  }
}

function withMoved(traces: Traces, event: EventOf<"update_message">): Traces {
  const { orig_subject, subject, new_stream_id, message_ids } = event;
  if (orig_subject === undefined) return traces;
  const ids = new Set(message_ids);
  return changeEach(traces, (trace) => {
    if (!ids.has(trace.id) || trace.channelId === undefined) return trace;
    const channelId = new_stream_id ?? trace.channelId;
    const topic = subject ?? trace.topic;
    return withMembers(trace, { channelId, topic, key: topicKey(channelId, topic) });
  });
}

/** The number of newest traces of a conversation from which its senders are shown. */
const tracesOfConversation = 20;

/** Traces that are kept of many. */
interface KeptTraces {
  readonly traces: Traces;
  /**
   * The newest message of the oldest conversation that is kept, if older ones are left out;
   * otherwise undefined.
   */
  readonly cutAt: number | undefined;
}

/**
 * The traces of the newest conversations, without those that add nothing to them, because a page
 * that stays open for weeks receives every message.
 */
export function withoutOld(traces: Traces, conversationsMax: number): KeptTraces {
  const counts = new Map<string, number>();
  let cutAt: number | undefined;
  let lastBegun: number | undefined;
  const kept = newestFirst(traces).filter(({ key, id }) => {
    const count = (counts.get(key) ?? 0) + 1;
    if (count === 1 && counts.size >= conversationsMax) {
      cutAt = lastBegun;
      return false;
    }
    if (count === 1) lastBegun = id;
    counts.set(key, count);
    return count <= tracesOfConversation;
  });
  return { traces: new Map(kept.map((trace) => [trace.id, trace])), cutAt };
}

const newestFirst = (traces: Traces): readonly Trace[] =>
  [...traces.values()].sort((one, other) => other.id - one.id);

/** The conversations of traces; the one with the newest message comes first. */
export function recentOf(traces: Traces): readonly RecentConversation[] {
  const conversations = new Map<string, RecentConversation>();
  for (const trace of newestFirst(traces)) {
    const { key, channelId, topic, people, timestamp, senderId, id: newestId } = trace;
    const before = conversations.get(key);
    if (before === undefined)
      conversations.set(key, {
        key,
        channelId,
        topic,
        people,
        timestamp,
        newestId,
        senders: [senderId],
      });
    else if (!before.senders.includes(senderId))
      conversations.set(key, { ...before, senders: [...before.senders, senderId] });
  }
  return [...conversations.values()];
}
