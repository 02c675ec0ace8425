import { topicPath } from "../../protocol/narrow-links";
import { emptyTopicDisplayName } from "../../protocol/topics";
import { directKey, topicKey } from "./conversations";

/** A notification that the server pushes, in the form of `src/devices/push/payload.ts`. */
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

/** Whether pushed data is of a kind that the worker shows. The server has signed the data. */
export const isPushed = (data: unknown): data is Pushed =>
  typeof data === "object" &&
  data !== null &&
  "type" in data &&
  (data.type === "message" || data.type === "remove" || data.type === "test");

/** The key of a message's conversation. */
export const pushedConversation = (message: PushedMessage): string =>
  message.recipient_type === "channel"
    ? topicKey(message.channel_id, topicOf(message))
    : directKey(message.recipient_user_ids, message.user_id);

/** The sender of a message, and the place to which they wrote. */
export const pushedTitle = (message: PushedMessage): string =>
  message.recipient_type === "channel"
    ? `${message.sender_full_name} (#${message.channel_name} › ${message.topic})`
    : message.sender_full_name;

/**
 * A title with the number of messages, without a word for them, because the worker does not know
 * the language.
 */
export const titleWithCount = (title: string, count: number): string =>
  count === 1 ? title : `${title} · ${count}`;

/** The fragment that opens a message. */
export function pushedFragment(message: PushedMessage): string {
  const { message_id: id } = message;
  if (message.recipient_type === "channel") {
    const channel = { id: message.channel_id, name: message.channel_name };
    return `${topicPath(channel, topicOf(message))}/near/${id}`;
  }
  const key = directKey(message.recipient_user_ids, message.user_id);
  return `#narrow/dm/${key}/near/${id}`;
}

/** The stored name of a message's topic. A push has the display name of the empty topic. */
const topicOf = ({ topic }: InChannel): string => (topic === emptyTopicDisplayName ? "" : topic);
