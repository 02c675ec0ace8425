import { conversationKey } from "./conversations";
import type { FlaggedMessage } from "./message";

/*
 * State and messages that a browser keeps, to be read while the server cannot be reached: those of
 * one person, for one build of the client.
 */

/**
 * A build of the client, as its service worker knows it: its id, and the addresses of its files.
 */
export interface ClientBuild {
  readonly id: string;
  readonly files: readonly string[];
}

/** A stored state from which a page can start. */
export interface KeptState {
  readonly userId: number;
  readonly build: string;
  /** Address of the file with the texts in the reader's language; undefined for English. */
  readonly words: string | undefined;
  readonly title: string;
  readonly theme: string | undefined;
  /** The answer of `register`, in JSON. */
  readonly snapshot: string;
  readonly serverTimestamp: number;
  /** When the snapshot was made, in milliseconds since 1970 on this computer's clock. */
  readonly keptAt: number;
}

/**
 * Facts that differ between a stored snapshot and the page that starts from it, and later events.
 */
export interface LaterState<Event> {
  readonly changes: {
    readonly queue_id: string;
    readonly last_event_id: number;
    readonly server_timestamp: number;
  };
  readonly events: readonly Event[];
}

/**
 * The queue id of a page that starts from a stored state. The server has no such queue, so the page
 * registers again as soon as it reaches the server, because nobody knows which events the stored
 * state lacks.
 */
export const keptQueueId = "kept:0";

/**
 * A message of the page to the service worker: store the files of this build. The worker answers on
 * the message port whether they are stored.
 */
export interface KeepWord {
  readonly kind: "keep";
  readonly build: string;
}

export const isKeepWord = (word: unknown): word is KeepWord =>
  typeof word === "object" &&
  word !== null &&
  "kind" in word &&
  word.kind === "keep" &&
  "build" in word &&
  typeof word.build === "string";

/** Limits of what is stored, in characters of JSON or HTML. */
export const keptMax = {
  conversations: 20,
  messagesOfEach: 50,
  messageCharacters: 4_000_000,
  snapshotCharacters: 8_000_000,
  events: 1_000,
  eventCharacters: 2_000_000,
} as const;

/** The messages of a conversation, ascending. */
export interface KeptConversation {
  readonly key: string;
  /** When the person last opened it (UNIX seconds); 0 if unknown. */
  readonly openedAt: number;
  readonly messages: readonly FlaggedMessage[];
}

/**
 * The newest messages of the latest conversations: of those that were opened last, and of those
 * with the newest messages. The latest conversation comes first. `openedAt` has UNIX seconds by
 * conversation key.
 */
export function latestConversations(
  messages: Iterable<FlaggedMessage>,
  me: number,
  openedAt: ReadonlyMap<string, number>,
): readonly KeptConversation[] {
  const byKey = new Map<string, FlaggedMessage[]>();
  for (const message of messages) {
    const key = conversationKey(message, me);
    const others = byKey.get(key);
    if (others) others.push(message);
    else byKey.set(key, [message]);
  }
  const all = [...byKey].map(([key, own]) => {
    const newest = own.sort((a, b) => a.id - b.id).slice(-keptMax.messagesOfEach);
    const opened = openedAt.get(key) ?? 0;
    const at = Math.max(newest.at(-1)?.timestamp ?? 0, opened);
    return { key, at, newestId: newest.at(-1)?.id ?? 0, openedAt: opened, messages: newest };
  });
  // Several conversations may have been opened in one second.
  const inOrder = all.sort((a, b) => b.at - a.at || b.newestId - a.newestId);
  const latest = inOrder.slice(0, keptMax.conversations);
  let characters = 0;
  return latest.flatMap(({ at: _, newestId: __, ...conversation }) => {
    characters += conversation.messages.reduce((sum, { content }) => sum + content.length, 0);
    return characters > keptMax.messageCharacters ? [] : [conversation];
  });
}
