import type { Entry } from "../bot-storage/queries";

/** Question to a bot. */
export interface Asked {
  /** The message without the bot's name at its beginning, trimmed. */
  text: string;
  messageId: number;
  asker: { id: number; fullName: string };
  /** Whether the sender is the bot's owner or an administrator. */
  isTrusted: boolean;
  /** The bot's owner, if it has one. */
  ownerId: number | null;
  /** A name of the topic or the conversation, which changes only with a move. */
  place: string;
  /** Configuration of its owner, merged into the default one. */
  config: Readonly<Record<string, string>>;
  /** UNIX seconds. */
  now: number;
  /**
   * The present texts of messages, by id, in the form of `text`, of those that are in this place
   * and that the asker may read.
   */
  read(messageIds: number[]): Promise<ReadonlyMap<number, string>>;
  /** Text that it has stored with a key. */
  find(key: string): Promise<string | undefined>;
  /** All entries that it has stored. */
  list(): Promise<Entry[]>;
}

/** Reaction of a bot: Markdown to send, and entries to store or delete in that write. */
export interface BotAnswer {
  says: string;
  /** User who has chosen the text, if one has: links in it open files by that user's right. */
  authorId?: number | null;
  stores?: Readonly<Record<string, string>>;
  forgets?: readonly string[];
}

/** A service of the server for bots. It changes nothing itself. */
export type EmbeddedBot = (asked: Asked) => Promise<BotAnswer>;
