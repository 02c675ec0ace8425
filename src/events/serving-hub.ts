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
   * Appends an entry without an audience, which makes room for more ids of events that are not
   * stored.
   */
  logBlank(realmId: number): void;
  warn(event: string, fields: Record<string, unknown>): void;
}

/** State of event queues of this process at a moment. */
export interface HubFigures {
  queues: number;
  /** Polls that wait for an event. */
  held: number;
  /**
   * Highest number of entries of the log that wait for a client who has polled in the last two
   * minutes.
   */
  lagEntriesMax: number;
}

/** The hub, with methods that only its own process may call. */
export interface ServingHub extends EventHub {
  /**
   * Some commits are on disk and their callers have their answers: wakes the clients that wait for
   * them.
   */
  flushed(): void;
  /** Another process has written; `realmId` if known. */
  changedElsewhere(realmId?: number): void;
  /** Takes an event that another node has sent with `sendEphemeral`. */
  received(text: string): void;
  /** Answers polls that have waited long enough. */
  sendHeartbeats(): void;
  /** The queues of a realm that this process has served. */
  queuesIn(realmId: number): QueueState[];
  endQueues(realmId: number, ids: Iterable<string>): void;
  figures(): HubFigures;
  /** Answers every held poll at once, and those to come. */
  close(): void;
}
