import { directKey, topicKey } from "./conversations";

/** A notification that the server pushes, as `src/devices/push/payload.ts` makes it. */
export type Pushed = PushedMessage | PushedRemoval | { readonly type: "test"; realm_name: string };

interface PushedRemoval {
  readonly type: "remove";
  readonly user_id: number;
  readonly message_ids: readonly number[];
}

interface InChannel {
  readonly recipient_type: "channel";
  readonly channel_id: number;
  readonly channel_name: string;
  readonly topic: string;
}

interface Direct {
  readonly recipient_type: "direct";
  readonly recipient_user_ids: readonly number[];
}

export type PushedMessage = {
  readonly type: "message";
  readonly user_id: number;
  readonly message_id: number;
  readonly sender_full_name: string;
  readonly sender_avatar_url: string;
  readonly content: string;
} & (InChannel | Direct);

/** Whether something that was pushed is of a kind that the worker shows: the server has signed it. */
export const isPushed = (data: unknown): data is Pushed =>
  typeof data === "object" &&
  data !== null &&
  "type" in data &&
  (data.type === "message" || data.type === "remove" || data.type === "test");

/** The conversation of a message, as the key of a map. */
export const pushedConversation = (message: PushedMessage): string =>
  message.recipient_type === "channel"
    ? topicKey(message.channel_id, message.topic)
    : directKey(message.recipient_user_ids, message.user_id);

/** The sender of a message, with the place where they have written. */
export const pushedTitle = (message: PushedMessage): string =>
  message.recipient_type === "channel"
    ? `${message.sender_full_name} (#${message.channel_name} › ${message.topic})`
    : message.sender_full_name;

/** A title with the number of messages, without words, because the worker knows no language. */
export const titleWithCount = (title: string, count: number): string =>
  count === 1 ? title : `${title} · ${count}`;

/** The fragment that leads to a message; names are left out of it. */
export function pushedFragment(message: PushedMessage): string {
  const { message_id: id } = message;
  if (message.recipient_type === "channel")
    return `#narrow/channel/${message.channel_id}/topic/${encodeTopic(message.topic)}/near/${id}`;
  const key = directKey(message.recipient_user_ids, message.user_id);
  return `#narrow/dm/${key}/near/${id}`;
}

/** A topic as a part of a fragment: dots stand for bytes there. */
const encodeTopic = (topic: string): string =>
  encodeURIComponent(topic.toWellFormed()).replaceAll(".", "%2E").replaceAll("%", ".");
