import type { Recipient } from "./recipient";
import type { Refused } from "./refused";
import type { Event } from "./wire";

/** A message that somebody has sent here, until its event comes. */
export interface Outgoing {
  /** A name for the message, by which the server answers a repetition with the first message. */
  readonly localId: string;
  /** Event queue that the server remembers the local id with, as long as the queue lives. */
  readonly queueId: string;
  readonly recipient: Recipient;
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
  /** The newest message that was seen when it was written: its own id is a greater one. */
  readonly writtenAfter: number;
  /** Whether it may have reached the server. */
  readonly isTried: boolean;
  readonly standing:
    | { readonly kind: "waiting" }
    | { readonly kind: "sent"; readonly messageId: number }
    | { readonly kind: "refused"; readonly why: string }
    /** Whether it was sent cannot be found out: the sender decides. */
    | { readonly kind: "unclear" };
}

/**
 * A text as the server keeps it in a message. Blanks at the beginning of its first line stay, because
 * they make code of it.
 */
export const messageText = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();

type Given = Pick<
  Outgoing,
  "localId" | "queueId" | "recipient" | "content" | "writtenAt" | "writtenAfter"
>;

export const written = (given: Given): Outgoing => ({
  ...given,
  isTried: false,
  standing: { kind: "waiting" },
});

/**
 * The next step of a message that waits. A message that may have reached the server, or that another
 * tab may be sending, only goes out with the local id and the queue that it has, once the server has
 * said that the queue still lives: otherwise it would become another message. The page may not have
 * noticed yet that the queue has ended.
 */
export const stepOf = ({ isTried, queueId }: Outgoing, ownQueueId: string): "send" | "ask" =>
  isTried || queueId !== ownQueueId ? "ask" : "send";

/** A message as one that was never sent: under another local id, with another queue. */
export const renewed = (
  message: Outgoing,
  { localId, queueId }: Pick<Outgoing, "localId" | "queueId">,
): Outgoing => ({ ...message, localId, queueId, isTried: false, standing: { kind: "waiting" } });

export const tried = (message: Outgoing): Outgoing => ({ ...message, isTried: true });

export const answered = (message: Outgoing, messageId: number): Outgoing => ({
  ...message,
  standing: { kind: "sent", messageId },
});

/**
 * A message after the server has not taken it: it waits where asking again may help, and is refused
 * where it is the message's own fault.
 */
export function afterRefusal(message: Outgoing, refused: Refused): Outgoing {
  const { status } = refused;
  const isFinal =
    status >= 400 && status < 500 && status !== 401 && status !== 408 && status !== 429;
  return isFinal && refused.code !== "CSRF_FAILED"
    ? { ...message, standing: { kind: "refused", why: refused.message } }
    : message;
}

export const unclear = (message: Outgoing): Outgoing => ({
  ...message,
  standing: { kind: "unclear" },
});

/** Whether an event brings the message that was sent. */
export function isArrival({ localId, standing }: Outgoing, event: Event): boolean {
  if (event.type !== "message") return false;
  if ("local_message_id" in event && event.local_message_id === localId) return true;
  return standing.kind === "sent" && standing.messageId === event.message.id;
}

interface Stored {
  readonly id: number;
  readonly content: string;
  readonly sender_id: number;
}

/** Whether a message of the conversation, with its source, is the one that was sent. */
export const isStored = (message: Outgoing, stored: Stored, me: number): boolean =>
  stored.id > message.writtenAfter &&
  stored.sender_id === me &&
  stored.content.trim() === message.content.trim();
