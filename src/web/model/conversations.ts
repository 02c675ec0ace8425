import { put } from "./copies";
import type { Model } from "./snapshot";
import type { Event, Message, Register } from "./wire";

/** The key of a topic in a map. Topics whose names differ only in case have one key. */
export const topicKey = (channelId: number, topic: string): string =>
  `${channelId}:${topic.toLowerCase()}`;

/**
 * The key of a direct conversation in a map: the ids of the other people, ascending, separated by
 * commas. For a conversation with oneself it is one's own id.
 */
export function directKey(userIds: readonly number[], me: number): string {
  const others = [...new Set(userIds)].filter((id) => id !== me).sort((a, b) => a - b);
  return others.length === 0 ? String(me) : others.join();
}

/** Ids of the people of a direct message; empty for a message in a channel. */
export const peopleOf = ({ display_recipient: people }: Pick<Message, "display_recipient">) =>
  typeof people === "string" ? [] : people.map(({ id }) => id);

/** The key of the conversation that a message belongs to. */
export const conversationKey = (message: Message, me: number): string =>
  message.stream_id === undefined
    ? directKey(peopleOf(message), me)
    : topicKey(message.stream_id, message.subject);

/** The id of the newest message of each direct conversation, by the conversation's key. */
export type Conversations = ReadonlyMap<string, number>;

export const conversationsFrom = (register: Register): Conversations =>
  new Map(
    register.recent_private_conversations.map(({ user_ids, max_message_id }) => [
      directKey(user_ids, register.user_id),
      max_message_id,
    ]),
  );

export function applyConversations(
  conversations: Conversations,
  event: Event,
  { me }: Model,
): Conversations {
  if (event.type !== "message" || event.message.type !== "private") return conversations;
  const key = directKey(peopleOf(event.message), me);
  return put(conversations, key, Math.max(conversations.get(key) ?? 0, event.message.id));
}
