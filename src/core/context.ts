import type { Engine } from "../../db/engine";
import type { Reader } from "../../db/reader";
import type { Schema } from "../../db/schema";
import type { Config } from "../config";
import type { FileStore } from "../files/store";
import type { Audience } from "./audience";
import type { Clock } from "./clock";
import type { EventHub } from "./event-hub";
import type { Log } from "./log";
import type { Secrets } from "./secrets";
import type { StateLoader } from "./state";
import type { Steps } from "./steps";
import type { StorageReports } from "./storage-failure";

export type RealmRow = Schema["realms"]["$inferSelect"];
export type UserRow = Schema["users"]["$inferSelect"];

/**
 * Person or part of the server that does something. A verb's rules are about the actor, whichever
 * door it came in by.
 */
export type Actor =
  | {
      kind: "user" | "bot" | "webhook";
      user: UserRow;
      /** The row of `api_keys` that the request is signed with, or that its session stands on. */
      apiKeyId: number;
      /** Signed in with a browser's cookie, not with an API key. */
      isSession?: true;
    }
  /** The person at the command line of the server's machine: may do everything in every realm. */
  | { kind: "operator" }
  /** Background work of the server itself. */
  | { kind: "job"; name: string }
  /** Somebody who has not signed in, where that is enough to read: see `spectatorOf`. */
  | { kind: "spectator"; user: UserRow; apiKeyId: 0 }
  /** Somebody who has not signed in. */
  | { kind: "anonymous" };

/** An event that goes into the log: as on the wire, but for its id. */
export interface LoggedEvent {
  type: string;
  op?: string;
  [field: string]: unknown;
}

/**
 * Data that a write leaves in memory for the delivery of an event. `sizeBytes`: about how much room
 * it takes, with the texts that are made of it.
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
  /** About how much memory it takes. */
  sizeBytes: number;
}

/** Running server: one per process. */
export interface App {
  readonly config: Config;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  /** Tells the log once of each state of the disks. */
  readonly storage: StorageReports;
  readonly events: EventHub;
  /** Files that people have uploaded. */
  readonly files: FileStore;
  /**
   * Parts of `register` that the features give: their states, and how the narrow of a queue is read
   * (refused if it is none).
   */
  readonly realtime: {
    readonly states: readonly StateLoader[];
    checkNarrow(narrow: unknown): unknown;
  };
  /** Steps that features take with new messages and with accounts that end: `src/steps.ts`. */
  readonly steps: Steps;
  /**
   * Background work: told of what was enqueued, when it is due (UNIX seconds), and of which kind it
   * is.
   */
  readonly jobs: { wake(dueAt: number, name?: string): void };
  /**
   * Memory of this server that belongs to single features: what they have counted, cached or begun,
   * and may forget with the process. A feature declares each such thing in a module of its own with
   * `perServer` (`src/core/per-server.ts`) and reads it by `.of(app)`; the key is that declaration,
   * so that nobody else can reach it and this file need not know what features there are. It hangs
   * on the app and not on the modules because a process may run several servers, as tests do: each
   * begins with nothing remembered, and all of it goes when the server does.
   */
  readonly memory: Map<object, unknown>;
  /** UNIX seconds of this process's start. */
  readonly startedAt: number;
}

/**
 * A moment in a realm, in UNIX seconds: who is a full member depends on both. A `Context` is one.
 */
export interface RealmMoment {
  readonly realm: RealmRow;
  readonly now: number;
}

/** Surroundings that a verb is given beside its input. */
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
  readonly requestId: string;
  /** The address that the client reached the realm by, without a slash at its end. */
  readonly url: string;
}

/** An actor with an account, or a spectator, who reads as if they had one. */
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
   * Appends an event to the log: in the order of the calls, and before the commit.
   * `live` is handed to the event's presenter in this process, to spare it a read.
   */
  emit(audience: Audience, event: LoggedEvent, live?: Live): Promise<void>;
  /**
   * Function that gives the id for the next new message, which must be stored with it. Undefined in
   * a write that takes no ids beforehand.
   */
  readonly nextMessageId?: (() => Promise<number>) | undefined;
  /**
   * Takes over a statement whose result the write does not wait for: it is done before the commit,
   * or the write fails.
   */
  defer(statement: PromiseLike<unknown>): void;
  /**
   * Calls `run` once the write is on disk. The call may be lost with the process, so use it only to
   * speed things up.
   */
  afterCommit(run: () => void): void;
}
