import type { Reader } from "../../db/reader";
import type { LogEntry } from "../core/context";
import {
  type AnswerRoom,
  eventsPerEntryMax,
  idsPerLogEntry,
  type Recipient,
} from "../core/event-hub";
import { type PresentedEvent, type Presenters, presentEntries } from "./present";
import type { QueueOwner } from "./queue-owners";
import { isListening, type QueueState } from "./queues";
import { countAfter, entriesAfter, type RealmLog } from "./realm-log";

/** Highest number of events in one answer; the client fetches the rest with its next poll. */
const eventsPerAnswerMax = 1_000;

/** Source of a queue's events, and the user who owns the queue. */
export interface Source {
  presenters: Presenters;
  log: RealmLog;
  reader: Reader;
  owner: QueueOwner;
  recipient: Recipient;
  isWanted(entry: LogEntry): boolean;
}

/**
 * Events of the log, oldest first, and the wire id of the first entry that the next answer begins
 * with.
 */
interface Collected {
  logged: PresentedEvent[];
  end: number;
}

/**
 * The first events after a place in the log up to its `head`, without those that the client has
 * acknowledged: as many as fit into one answer, but at least one if there are any. Entries that
 * this client does not get are skipped and take no space.
 */
export async function collectLogged(
  source: Source,
  from: number,
  head: number,
  room: AnswerRoom,
  acknowledged: number,
): Promise<Collected> {
  const { presenters, log, reader, owner, recipient, isWanted } = source;
  // Entries after `head` are left out, because they may change the facts about the user that decide
  // which entries the client gets.
  const isMeant = (entry: LogEntry) => entry.id <= head && isWanted(entry);
  for (let place = from; ; ) {
    const most = { countMax: eventsPerAnswerMax, room };
    const { entries, next } = await entriesAfter(log, reader, place, isMeant, most);
    const { events: found, leftFrom } = await presentEntries(
      presenters,
      log,
      entries,
      owner,
      recipient,
      room,
    );
    // Of an entry that stands for several events some may be acknowledged.
    const isBegun = (found[0]?.id ?? acknowledged) <= acknowledged;
    const events = isBegun ? found.filter(({ id }) => id > acknowledged) : found;
    // The log may have grown since `head` was read. The next answer begins with the newer entries.
    const end = Math.min(leftFrom ?? next ?? head + 1, head + 1);
    if (events.length > 0 || end > head) return { logged: events, end: end * idsPerLogEntry };
    place = end - 1;
  }
}

/**
 * Whether a queue has more unread events than allowed. The count is cached, and repeated only when
 * so many entries have been added that the limit may be exceeded. Clients that accept deletions in
 * bulk, or none, get no entry that stands for several events.
 */
export function isTooFarBehind(
  queue: QueueState,
  source: Source,
  from: number,
  queueEventsMax: number,
): boolean | Promise<boolean> {
  const { log, recipient } = source;
  const { head } = log;
  const { upTo, count } = queue.counted;
  const isOneByOne =
    !recipient.options.bulkMessageDeletion && isListening(queue, { type: "delete_message" });
  const perEntryMax = isOneByOne ? eventsPerEntryMax : 1;
  const countMax = (from < upTo ? count : 0) + (head - Math.max(from, upTo)) * perEntryMax;
  return countMax > queueEventsMax && isBehindBy(queue, source, from, queueEventsMax);
}

async function isBehindBy(
  queue: QueueState,
  { log, reader, isWanted }: Source,
  from: number,
  queueEventsMax: number,
): Promise<boolean> {
  const { head } = log;
  const counted = await countAfter(log, reader, from, isWanted, queueEventsMax + 1);
  queue.counted = { upTo: head, count: counted };
  return counted > queueEventsMax;
}
