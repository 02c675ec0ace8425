import type { Audience, AudienceMember } from "./audience";
import type { LogEntry, LoggedEvent } from "./context";

/** Wishes about its events that a client stated at register. */
export interface QueueOptions {
  /** The types it asked for; null for all. */
  eventTypes: string[] | null;
  /** Only message events that match; as parsed from the wire. */
  narrow: unknown[];
  allPublicStreams: boolean;
  applyMarkdown: boolean;
  clientGravatar: boolean;
  slimPresence: boolean;
  /** Number of past days of presence that register answers, where the client named one. */
  presenceHistoryLimitDays: number | null;
  /** Whether it takes presence events in today's form. */
  simplifiedPresenceEvents: boolean;
  /**
   * Choice stated at register: who says nothing gets no lists there, and the lists with
   * `subscription` events.
   */
  includeSubscribers: "true" | "false" | "partial" | "unsaid";
  bulkMessageDeletion: boolean;
  emptyTopicName: boolean;
  streamTypingNotifications: boolean;
  /** Whether it does without entries for the people whom its user does not see. */
  userListIncomplete: boolean;
  includeDeactivatedGroups: boolean;
  /** Whether it shows archived channels; else it is told that they are gone. */
  archivedChannels: boolean;
  /** Whether its User-Agent says that it is one of the protocol's official clients. */
  isOfficialClient: boolean;
}

export interface NewQueue {
  userId: number;
  apiKeyId: number | null;
  registeredAt: number;
  options: QueueOptions;
  idleTimeoutSeconds: number;
}

/** A queue as it is stored: it begins at `registeredAt`, a place in the realm's log. */
export interface StoredQueue extends NewQueue {
  id: string;
  realmId: number;
  lastSeen: number;
}

/** Room for the answer to a poll. */
export interface AnswerRoom {
  readonly sizeBytesMax: number;
  /** Told about how many bytes the answer is going to have, before they are read; may refuse. */
  expect(sizeBytes: number): void;
}

export interface PollRequest {
  realmId: number;
  userId: number;
  queueId: string;
  /** The newest event id that the client has; −1 for none since it registered. */
  lastEventId: number;
  dontBlock: boolean;
  /**
   * Told about how many bytes the answer is going to have, before they are read, and 0 when it
   * waits; may refuse.
   */
  expect(sizeBytes: number): void;
  /** Fires when the client goes away. */
  signal: AbortSignal;
}

/** Client that an event is written for. */
export interface Recipient extends AudienceMember {
  queueId: string;
  options: QueueOptions;
}

/**
 * Form of the events of one type, as a client sees them. Each gives JSON members without the braces
 * and without the id, `"type":"typing","op":"start",…`, so that they are serialized once and the id
 * is put in front.
 */
export interface Presenter {
  /** Whether a client gets events like this one at all. */
  accepts?(event: LoggedEvent, options: QueueOptions, member: AudienceMember): boolean;
  /** From what the write left in memory; undefined if there is nothing to show to this client. */
  live?(entry: LogEntry, recipient: Recipient): string | undefined;
  /** From the database, as of now. */
  late?(entries: LogEntry[], recipient: Recipient, room: AnswerRoom): Promise<LateTexts>;
  /** For events that only vary with the client's options: which variant, and how it looks. */
  shape?(event: LoggedEvent, options: QueueOptions): { variant: string; event: LoggedEvent };
}

/** Events as JSON by the ids of their entries, without events that may not be shown. */
export interface LateTexts {
  texts: Map<number, string>;
  /** The first entry for which the answer had no room. */
  leftFrom?: number | undefined;
}

/** Takes committed events to the clients that wait for them, and answers their polls. */
export interface EventHub {
  /**
   * Events of one write are on disk. `logHeadBefore`: the realm's newest log id before the group it
   * was part of.
   */
  committed(realmId: number, entries: LogEntry[], logHeadBefore: number): void;
  /** Sends an event that is not stored to all connected clients, on every node. */
  sendEphemeral(realmId: number, audience: Audience, event: LoggedEvent): void;
  /**
   * Follows a realm's log from now on: a queue that is opened here after that is known to have
   * ended when it has.
   */
  follow(realmId: number): Promise<void>;
  /**
   * A queue of a realm that is followed is on disk: from now on it also gets events that are not
   * stored.
   */
  opened(queue: StoredQueue): void;
  /** The client's events after `lastEventId`, each as JSON; waits for one unless told not to. */
  poll(request: PollRequest): Promise<string[]>;
}

/**
 * The wire id of an event is its log id times this; the ids between belong to events that are not
 * stored.
 */
export const idsPerLogEntry = 1024;

/** The type of the log entry that ends queues. */
export const queuesEndedType = "server_queues_ended";

/**
 * Ends queues, wherever they are served: by id, or all that some users or an API key hold, or with
 * `isRealm` those of a realm that is deactivated. Announced to nobody.
 */
export function queuesEnded(which: {
  userIds?: readonly number[];
  apiKeyId?: number;
  queueIds?: readonly string[];
  isRealm?: true;
}): LoggedEvent {
  return { type: queuesEndedType, ...which };
}
