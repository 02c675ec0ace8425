/*
 * Notifications on the person's screen: those of the page, and those that the service worker shows of
 * pushes. There is one of a conversation, whichever of the two has shown it.
 */

/** Facts that a notification carries, for a click on it and for its end. */
export interface NotificationFacts {
  readonly userId: number;
  /** Fragment of the address that a click leads to. */
  readonly fragment: string;
  /** Title without the number of messages; a build before this one did not tell it. */
  readonly title?: string;
  /** Ids of the messages that it tells of. */
  readonly messageIds: readonly number[];
}

/**
 * Options of a notification. Newer browsers alone know that one which replaces another calls the
 * person again.
 */
export interface ScreenOptions extends NotificationOptions {
  readonly renotify?: boolean;
}

/** Name under which a notification replaces the one before it of its conversation. */
export const notificationTag = (userId: number, conversation: string): string =>
  `chatd ${userId} ${conversation}`;

/** The facts of a notification; undefined of one that is not ours. */
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

/** So many messages are remembered of one notification. */
const idsMax = 100;

/** Ids of the messages of a notification, with one that has come. */
export const withMessageId = (ids: readonly number[], id: number): readonly number[] =>
  [...ids.filter((other) => other !== id), id].slice(-idsMax);

/** Word of the service worker to a page: go to a place. */
export interface GoWord {
  readonly kind: "go";
  readonly fragment: string;
}

export const isGoWord = (word: unknown): word is GoWord =>
  typeof word === "object" &&
  word !== null &&
  "kind" in word &&
  word.kind === "go" &&
  "fragment" in word &&
  typeof word.fragment === "string" &&
  word.fragment.startsWith("#");
