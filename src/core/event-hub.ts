import type { Audience, AudienceMember } from "./audience";
import type { LogEntry, LoggedEvent } from "./context";

/** Options of a client's event queue, as given to `register`. */
export interface QueueOptions {
  /** The types it asked for; null for all. */
  eventTypes: string[] | null;
  /** Only message events that match are delivered; as parsed from the wire. */
  narrow: unknown[];
  allPublicStreams: boolean;
  applyMarkdown: boolean;
  clientGravatar: boolean;
  slimPresence: boolean;
  /** Number of past days of presence that register answers; null if the client gave none. */
  presenceHistoryLimitDays: number | null;
  /** Whether presence events have the modern form. */
  simplifiedPresenceEvents: boolean;
  /**
   * As given to `register`; `unsaid` gives no lists in `register`, and the lists in `subscription`
   * events.
   */
  includeSubscribers: "true" | "false" | "partial" | "unsaid";
  bulkMessageDeletion: boolean;
  emptyTopicName: boolean;
  streamTypingNotifications: boolean;
  /** Whether it accepts user lists without the people whom its user cannot see. */
  userListIncomplete: boolean;
  includeDeactivatedGroups: boolean;
  /** Whether the client shows archived channels; if not, it gets events that they are deleted. */
  archivedChannels: boolean;
  /** Whether its User-Agent says that it is a client of Zulip, official or not. */
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

/** Budget of bytes for the answer to a poll. */
export interface AnswerRoom {
  readonly sizeBytesMax: number;
  /** Announces about how many bytes the answer will have, before they are read; may refuse. */
  expect(sizeBytes: number): void;
  /** To be awaited before events are read from the database, which may be long work. */
  beginLongWork?(): Promise<void> | undefined;
}

export interface PollRequest extends Pick<AnswerRoom, "beginLongWork"> {
  realmId: number;
  userId: number;
  queueId: string;
  /** The newest event id that the client has; −1 for none since it registered. */
  lastEventId: number;
  dontBlock: boolean;
  /**
   * Announces about how many bytes the answer will have, before they are read, and 0 while it
   * waits; may refuse.
   */
  expect(sizeBytes: number): void;
  /** Called before the poll waits for an event, because waiting is no work. */
  endLongWork(): void;
  /** Fires when the client goes away. */
  signal: AbortSignal;
}

/** Client that an event is written for. */
export interface Recipient extends AudienceMember {
  queueId: string;
  options: QueueOptions;
}

/**
 * Form of the events of one type on the wire. Each function gives JSON members without the braces
 * and without the id, `"type":"typing","op":"start",…`, so that an event is serialized once and
 * only the id is added for each queue.
 */
export interface Presenter {
  /** Whether a client gets this event at all. */
  accepts?(event: LoggedEvent, options: QueueOptions, member: AudienceMember): boolean;
  /** Made of the data that the write left in memory; undefined if this client gets nothing. */
  live?(entry: LogEntry, recipient: Recipient): string | undefined;
  /** Made of the database, as of now. */
  late?(entries: LogEntry[], recipient: Recipient, room: AnswerRoom): Promise<LateTexts>;
  /** For events that vary only with the client's options: the name of the variant, and its form. */
  shape?(event: LoggedEvent, options: QueueOptions): { variant: string; event: LoggedEvent };
  /**
   * The events of an entry with `one_by_one_ids`: one for each id. Undefined for an entry that is
   * one event. They are made anew for each client, because keeping them would take many times the
   * memory of their entry.
   */
  several?(event: LoggedEvent, options: QueueOptions): string[] | undefined;
}

/** Events as JSON by the ids of their entries, without events that the recipient may not see. */
interface LateTexts {
  texts: Map<number, string>;
  /** The first entry for which the answer had no room. */
  leftFrom?: number | undefined;
}

/** Delivers committed events to waiting clients, and answers polls. */
export interface EventHub {
  /**
   * Events of one write are on disk. `logHeadBefore`: the realm's newest log id before the group it
   * was part of.
   */
  committed(realmId: number, entries: LogEntry[], logHeadBefore: number): void;
  /** Sends an event that is not stored to all connected clients, on every node. */
  sendEphemeral(realmId: number, audience: Audience, event: LoggedEvent): void;
  /**
   * Follows a realm's log from now on, so that a queue that is opened here afterwards is known to
   * have ended when it has.
   */
  follow(realmId: number): Promise<void>;
  /**
   * A queue of a realm that is followed is on disk: from now on it also gets events that are not
   * stored.
   */
  opened(queue: StoredQueue): void;
  /**
   * The client's events after `lastEventId`, each as JSON; waits for one unless the request says
   * not to.
   */
  poll(request: PollRequest): Promise<string[]>;
}

/**
 * An event on the wire has the ID of its entry in the log times this number. The IDs after that
 * belong to events that are not stored, but the last ones to the next entry (`eventsPerEntryMax`).
 */
export const idsPerLogEntry = 1024;

/**
 * Highest number of events that one entry of the log stands for. The last event has the ID of the
 * entry times `idsPerLogEntry`, and the others have the IDs just before it. So a client that has
 * acknowledged some of the events gets the others.
 */
export const eventsPerEntryMax = 128;

/** Number of events that an entry of the log stands for: one, or `one_by_one_ids` of them. */
export const eventsIn = ({ event: { one_by_one_ids: ids } }: LogEntry): number =>
  Array.isArray(ids) ? ids.length : 1;

/**
 * The type of the log entry that tells of changed subscription periods for which there is no
 * `subscription` event.
 */
export const periodsChangedType = "server_periods_changed";

/** The subscription periods of some users have changed. Announced to nobody. */
export const periodsChanged = (userIds: readonly number[]): LoggedEvent => ({
  type: periodsChangedType,
  userIds,
});

/** The type of the log entry that ends queues. */
export const queuesEndedType = "server_queues_ended";

/**
 * Ends queues, on whichever node they are: by id, or all queues of some users or of an API key, or
 * with `isRealm` those of a whole realm, which may have been deactivated. Announced to nobody.
 */
export function queuesEnded(which: {
  userIds?: readonly number[];
  apiKeyId?: number;
  queueIds?: readonly string[];
  isRealm?: true;
  isDeactivated?: boolean;
}): LoggedEvent {
  return { type: queuesEndedType, ...which };
}

/** The id of the message that an entry of the log is about; 0 where it names none. */
export const messageIdOf = ({ event: { message_id: id } }: Pick<LogEntry, "event">): number =>
  typeof id === "number" ? id : 0;
