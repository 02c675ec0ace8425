import { conversationKey, directKey, topicKey } from "./conversations";
import { withAll, withoutAll } from "./copies";
import type { Model } from "./snapshot";
import type { Event, EventOf } from "./wire";

/**
 * Ids of the people who are typing, by conversation key. Entries have no timeout of their own: the
 * store calls `withoutTyping` if nothing more is heard of somebody.
 */
export type Typing = ReadonlyMap<string, ReadonlySet<number>>;

/** `register` does not tell who is typing. */
export const typingFrom = (): Typing => new Map();

/** The conversation key of an event. */
export const keyOfTyping = (event: EventOf<"typing">, me: number): string =>
  event.message_type === "stream"
    ? topicKey(event.stream_id, event.topic)
    : directKey(
        event.recipients.map(({ user_id }) => user_id),
        me,
      );

/** A person whose message has arrived is no longer typing. */
export function applyTyping(typing: Typing, event: Event, { me }: Model): Typing {
  if (event.type === "message")
    return withoutTyping(typing, conversationKey(event.message, me), event.message.sender_id);
  if (event.type !== "typing") return typing;
  const { user_id } = event.sender;
  const key = keyOfTyping(event, me);
  if (event.op === "stop") return withoutTyping(typing, key, user_id);
  const before = typing.get(key) ?? new Set();
  const after = withAll(before, [user_id]);
  return after === before ? typing : new Map(typing).set(key, after);
}

/** The typing people, without one who has stopped. */
export function withoutTyping(typing: Typing, key: string, userId: number): Typing {
  const before = typing.get(key);
  if (!before?.has(userId)) return typing;
  const after = withoutAll(before, [userId]);
  const copy = new Map(typing);
  if (after.size === 0) copy.delete(key);
  else copy.set(key, after);
  return copy;
}
