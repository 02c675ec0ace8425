import type { Entry } from "../bot-storage/queries";

/** Question to a bot. */
export interface Asked {
  /** The message without the bot's name in front, trimmed. */
  text: string;
  asker: { id: number; fullName: string };
  /** Whether the one who asks is the bot's owner or an administrator. */
  isTrusted: boolean;
  /**
   * A name of the topic or the conversation, which does not change as long as that is not moved.
   */
  place: string;
  /** Configuration that its owner gave, over the usual one. */
  config: Readonly<Record<string, string>>;
  /** UNIX seconds. */
  now: number;
  /** Text that it has stored under a key. */
  find(key: string): Promise<string | undefined>;
  /** All that it has stored. */
  list(): Promise<Entry[]>;
}

/**
 * Reaction of a bot: Markdown that it says, and entries that it stores or forgets in that write.
 */
export interface Said {
  says: string;
  stores?: Readonly<Record<string, string>>;
  forgets?: readonly string[];
}

/** A service of the server that a bot can be. It changes nothing itself. */
export type EmbeddedBot = (asked: Asked) => Promise<Said>;
