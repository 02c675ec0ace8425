import type { Recipient } from "./recipient";
import type { Refused } from "./refused";
import type { Event } from "./wire";

/** A message that was sent from this browser, until its event arrives. */
export interface Outgoing {
  /**
   * An id of the message. If the message is sent again with this id, the server answers with the
   * first message.
   */
  readonly localId: string;
  /**
   * The event queue with which the server remembers the local id. It remembers it as long as the
   * queue lives.
   */
  readonly queueId: string;
  readonly recipient: Recipient;
  readonly content: string;
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
  /**
   * The id of the newest message that was known when it was written. The message's own id will be
   * greater.
   */
  readonly writtenAfter: number;
  /** Whether it may have reached the server. */
  readonly isTried: boolean;
  readonly standing:
    | { readonly kind: "waiting" }
    | { readonly kind: "sent"; readonly messageId: number }
    | { readonly kind: "refused"; readonly why: string }
    /** Nobody can find out whether it was sent, so the sender decides. */
    | { readonly kind: "unclear" };
}

/**
 * A text as the server stores it in a message. Blanks at the beginning of its first line stay,
 * because indentation makes it code.
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
 * The next step for a waiting message. If it may have reached the server, or another tab may be
 * sending it, it is only sent again with its own local id and queue, and only after the server has
 * confirmed that the queue still lives. Otherwise it would become a second message. The page may
 * not have noticed yet that the queue has ended.
 */
export const stepOf = ({ isTried, queueId }: Outgoing, ownQueueId: string): "send" | "ask" =>
  isTried || queueId !== ownQueueId ? "ask" : "send";

/** The message as if it had never been sent: with a new local id and another queue. */
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
 * The message after the server has refused it. It waits if trying again may help, and is refused if
 * the message itself is the reason.
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

/** Whether an event contains the message that was sent. */
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

/**
 * Whether a message that is stored in the conversation is the one that was sent, compared by its
 * source.
 */
export const isStored = (message: Outgoing, stored: Stored, me: number): boolean =>
  stored.id > message.writtenAfter &&
  stored.sender_id === me &&
  stored.content.trim() === message.content.trim();
