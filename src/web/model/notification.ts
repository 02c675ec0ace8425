/*
 * Notifications on the person's screen: those of the page, and those that the service worker shows
 * of pushes. There is one of a conversation, whichever of the two has shown it.
 */

/** Data that a notification carries, for the time when it is clicked or removed. */
export interface NotificationFacts {
  readonly userId: number;
  /** Fragment of the address that a click opens. */
  readonly fragment: string;
  /** The title without the number of messages. Notifications of an older build lack it. */
  readonly title?: string;
  /** Ids of the messages that it is about. */
  readonly messageIds: readonly number[];
}

/**
 * Options of a notification. Only newer browsers support `renotify`, with which a replacing
 * notification alerts the person again.
 */
export interface ScreenOptions extends NotificationOptions {
  readonly renotify?: boolean;
}

/** The tag of a notification. A new notification replaces an earlier one of its conversation. */
export const notificationTag = (userId: number, conversation: string): string =>
  `chatd ${userId} ${conversation}`;

/** The data of a notification; undefined if the notification is not from this client. */
export function factsOfNotification(data: unknown): NotificationFacts | undefined {
  return isFacts(data) ? data : undefined;
}

const isFacts = (data: unknown): data is NotificationFacts =>
  typeof data === "object" &&
  data !== null &&
  "userId" in data &&
  typeof data.userId === "number" &&
  "fragment" in data &&
  typeof data.fragment === "string" &&
  (!("title" in data) || typeof data.title === "string") &&
  "messageIds" in data &&
  Array.isArray(data.messageIds);

/** The greatest number of messages that one notification remembers. */
const idsMax = 100;

/** Ids of the messages of a notification, with a new one added. */
export const withMessageId = (ids: readonly number[], id: number): readonly number[] =>
  [...ids.filter((other) => other !== id), id].slice(-idsMax);
