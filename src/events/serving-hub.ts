import type { Engine } from "../../db/engine";
import type { Clock } from "../core/clock";
import type { EventHub } from "../core/event-hub";
import type { Presenters } from "./present";
import type { QueueState } from "./queues";

export interface HubOptions {
  engine: Engine;
  clock: Clock;
  presenters: Presenters;
  heartbeatSeconds: number;
  queueEventsMax: number;
  answerSizeBytesMax: number;
  /**
   * Appends an entry without an audience to a realm's log, which gives more ids to events that are
   * not stored.
   */
  logBlank(realmId: number): void;
  warn(event: string, fields: Record<string, unknown>): void;
}

/** State of the event queues of this process at one moment. */
interface HubFigures {
  queues: number;
  /** Polls that wait for an event. */
  held: number;
  /**
   * Highest number of log entries that a client has not fetched yet, among the clients that have
   * polled in the last two minutes.
   */
  lagEntriesMax: number;
}

/** The hub with further methods, which only code of the serving process may call. */
export interface ServingHub extends EventHub {
  /**
   * Wakes the clients that wait for entries of these commits. It is called when the commits are on
   * disk and their callers have their answers.
   */
  flushed(): void;
  /** Reads what another process has written, in the realm `realmId` if it is known. */
  changedElsewhere(realmId?: number): void;
  /**
   * Called when the connection to the database is lost. Answers the check, for the time when it is
   * back, whether the database lacks log entries that this process had read by now.
   */
  connectionLost(): () => Promise<boolean>;
  /** Takes an event that another node has sent with `sendEphemeral`. */
  received(text: string): void;
  /** Answers polls that have waited long enough. */
  sendHeartbeats(): void;
  /** The queues of a realm that this process has served. */
  queuesIn(realmId: number): QueueState[];
  endQueues(realmId: number, ids: Iterable<string>): void;
  figures(): HubFigures;
  /** Answers every poll that waits at once, and every later poll too. */
  close(): void;
}
