import type { App, RealmMoment, Tx, UserRow } from "./context";

/*
 * Steps of features in the writes of another feature: with each new message, and with each account
 * that ends. `src/steps.ts` lists them in order, and `App.steps` hands the lists to the write, so
 * that the write does not depend on those features.
 */

/** A message in the write that stores it, with the people whom it mentions or is sent to. */
export interface SentMessage {
  readonly id: number;
  readonly sender: UserRow;
  /** `Words.authorId` of `src/uploads/opening-right.ts`. */
  readonly authorId?: number | null | undefined;
  /** Null for a direct message, which has participants instead. */
  readonly channelId: number | null;
  readonly topicKey: string;
  /** People of its direct conversation, by id. */
  readonly participants: readonly UserRow[];
  /** Its text in Markdown, and as HTML. */
  readonly content: string;
  readonly rendered: string;
  /** The flags that the message sets, by user. */
  readonly flags: ReadonlyMap<number, readonly string[]>;
  /** Recipients whom it mentions by name. */
  readonly named: readonly UserRow[];
  /** Bots that it mentions by name and that may read it. */
  readonly bots: readonly UserRow[];
  /** The groups that it mentions. */
  readonly groups: readonly number[];
  /** `messages.mentions_all_of`. */
  readonly mentionsAllOf: number | null;
}

/** The moment of a send, and the parts of the server that its steps use. */
export type SendMoment = RealmMoment & { app: Pick<App, "jobs" | "memory" | "steps"> };

/** Work of a feature with each message, in the write that stores it. */
export interface SendStep {
  readonly name: string;
  run(tx: Tx, moment: SendMoment, message: SentMessage): Promise<void>;
}

/** Accounts that a write has just deactivated. */
interface EndedAccounts {
  readonly realmId: number;
  /** The users, and their bots that were active. */
  readonly userIds: readonly number[];
  /** All bots of these users, including those that were deactivated before. */
  readonly botIds: readonly number[];
  /** Whether their API keys end for good. */
  readonly revokesKeys: boolean;
}

/** Work of a feature in the write that ends accounts. */
export interface EndingStep {
  readonly name: string;
  run(tx: Tx, ended: EndedAccounts): Promise<void>;
}

/** Steps of all features, each list in the order in which they are taken. */
export interface Steps {
  /** Steps with a message that is stored but not announced yet. */
  readonly messageStored: readonly SendStep[];
  /** Steps with a message after its event. */
  readonly messageAnnounced: readonly SendStep[];
  /** Steps with accounts that have ended, before that is announced. */
  readonly accountsEnded: readonly EndingStep[];
}
