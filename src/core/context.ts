import type { Engine } from "../../db/engine";
import type { Reader } from "../../db/reader";
import type { Schema } from "../../db/schema";
import type { Config } from "../config/config";
import type { FileStore } from "../files/store";
import type { Audience } from "./audience";
import type { Audited, AuditedBy } from "./audit";
import type { Clock } from "./clock";
import type { EventHub } from "./event-hub";
import type { Language } from "./language";
import type { Log } from "./log";
import type { Secrets } from "./secrets/secrets";
import type { StateLoader } from "./state";
import type { Steps } from "./steps";
import type { StorageReports } from "./storage/storage-failure";
import type { LongWork } from "./turns/loop-scheduler";

export type RealmRow = Schema["realms"]["$inferSelect"];
export type UserRow = Schema["users"]["$inferSelect"];

/**
 * Person or part of the server that does something. The rules of a verb are about the actor,
 * whether a request or a command calls it.
 */
export type Actor =
  | {
      kind: "user" | "bot" | "webhook";
      user: UserRow;
      /**
       * The row of `api_keys` of the request's API key, or of the key that its session belongs to.
       */
      apiKeyId: number;
      /** Signed in with a browser's cookie, not with an API key. */
      isSession?: true;
    }
  /** The person at the command line of the server's machine: may do everything in every realm. */
  | { kind: "operator" }
  /** Background work of the server itself. */
  | { kind: "job"; name: string }
  /** Somebody who has not signed in, for reads that need no account: see `spectatorOf`. */
  | { kind: "spectator"; user: UserRow; apiKeyId: 0 }
  /** Somebody who has not signed in. */
  | { kind: "anonymous" };

/** An event for the log: as on the wire, but without its id. */
export interface LoggedEvent {
  type: string;
  op?: string;
  [field: string]: unknown;
}

/**
 * Data that a write leaves in memory for the delivery of an event. `sizeBytes`: approximate memory
 * that it takes, including the texts that are made of it.
 */
export interface Live {
  readonly sizeBytes?: number;
}

/** A row of the event log, as soon as it is committed. */
export interface LogEntry {
  id: number;
  realmId: number;
  audience: Audience;
  event: LoggedEvent;
  live?: Live | undefined;
  /** Approximate memory that it takes. */
  sizeBytes: number;
  /** Digest of its row, see `digestOf`. */
  digest: number;
}

/** Work that each hash of a password takes. */
export interface PasswordCosts {
  readonly memoryKib: number;
  readonly passes: number;
}

/** Running server: one per process. */
export interface App {
  readonly config: Config;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  /** No configuration changes them: only a test, which hashes hundreds, opens an app with less. */
  readonly passwordCosts: PasswordCosts;
  /** Logs each state of the disks once. */
  readonly storage: StorageReports;
  readonly events: EventHub;
  /** Files that people have uploaded. */
  readonly files: FileStore;
  /**
   * Parts of `register` that the features give: their states, and the parser of a queue's narrow,
   * which refuses an invalid one.
   */
  readonly realtime: {
    readonly states: readonly StateLoader[];
    checkNarrow(narrow: unknown): unknown;
  };
  /** Steps of features with new messages and with accounts that end: `src/steps.ts`. */
  readonly steps: Steps;
  /**
   * Background work. A call of `wake` says that a job was enqueued, when it is due (UNIX seconds),
   * and of which kind it is.
   */
  readonly jobs: { wake(dueAt: number, name?: string): void };
  /**
   * Memory of this server that belongs to single features: counts, caches and work under way, which
   * may be lost with the process. A feature declares each of them in a module of its own with
   * `perServer` (`src/core/per-server.ts`) and reads it by `.of(app)`. The key is that declaration,
   * so that nobody else can reach the value and this file does not name features. It hangs on the
   * app and not on the modules because a process may run several servers, as tests do: each begins
   * with an empty memory, which ends with the server.
   */
  readonly memory: Map<object, unknown>;
  /** UNIX seconds of this process's start. */
  readonly startedAt: number;
}

/** A moment in a realm, in UNIX seconds: both decide who is a full member. A `Context` is one. */
export interface RealmMoment {
  readonly realm: RealmRow;
  readonly now: number;
}

/** Surroundings of a verb's call: who acts, in which realm, and when. */
export interface Context<A extends Actor = Actor> {
  readonly app: App;
  readonly realm: RealmRow;
  readonly actor: A;
  /** For reads outside a write. */
  readonly reader: Reader;
  /** UNIX seconds: one moment for the whole request. */
  readonly now: number;
  /** The name of the client program, as it is shown with messages. */
  readonly client: string;
  /**
   * The network address that a request came from, or the account and the machine of a command. Work
   * of the server itself has none.
   */
  readonly clientAddress?: () => string;
  readonly requestId: string;
  /** Language that a browser asks for, of somebody who has not signed in. */
  readonly browserLanguage?: Language | undefined;
  /** The address that the client reached the realm by, without a slash at its end. */
  readonly url: string;
  /** Long work of the request. Work of the server itself has none, because nobody tells its end. */
  readonly longWork?: LongWork;
}

/** A person of a realm, by their ids. */
export interface OfPerson {
  realmId: number;
  userId: number;
}

/** An actor with an account, or a spectator, who reads like a person with one. */
export type Person = Extract<Actor, { user: UserRow }>;

/**
 * The transaction of a write. `emit` exists nowhere else, because an event is committed with the
 * change that it announces.
 */
export interface Tx extends Reader {
  readonly now: number;
  /** The app's background work, for code that enqueues some of it. */
  readonly jobs: App["jobs"];
  /**
   * Appends an event to the log, in the order of the calls and before the commit. `live` is handed
   * to the event's presenter in this process, to save it a read.
   */
  emit(audience: Audience, event: LoggedEvent, live?: Live): Promise<void>;
  /**
   * Gives the id for the next new message, which must be stored with it. Undefined in a write that
   * reserves no ids.
   */
  readonly nextMessageId?: (() => Promise<number>) | undefined;
  /**
   * Adds a statement whose result the write does not need. It runs before the commit, or the write
   * fails.
   */
  defer(statement: PromiseLike<unknown>): void;
  /**
   * To be awaited between pieces of some milliseconds each, in a write that may have many of them,
   * so that others are answered meanwhile, except that their writes wait. Undefined where a write
   * does not hold the event loop.
   */
  readonly pause?: (() => Promise<void>) | undefined;
  /**
   * Calls `run` once the write is on disk. The call may be lost with the process, so use it only to
   * speed things up.
   */
  afterCommit(run: () => void): void;
  /**
   * Notes the act for the audit log, which gets one row for it in the commit. Inner parts note
   * first, and the verb that calls them last: see `joinNotes`.
   */
  audit(by: AuditedBy, noted: Audited): void;
}
