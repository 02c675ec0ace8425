import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../db/reader";
import type { Audience } from "../core/audience";
import type { LogEntry, LoggedEvent } from "../core/context";
import { type AnswerRoom, eventsIn, eventsPerEntryMax, idsPerLogEntry } from "../core/event-hub";
import { turn } from "../core/turns/turn";
import { digestOf, type LogPlace } from "../memory/log-head";

/**
 * Limits of a realm's log in memory: the number of its entries, their bytes, and the share of it
 * that is dropped at a time.
 */
const tailEntriesMax = 4_000;
const tailBytesMax = 16 * 1024 * 1024;
const tailPartDropped = 1 / 16;
/** Number of entries that are read at a time, and the limit of their bytes. */
const pageEntries = 1_000;
const pageBytes = 2 * 1024 * 1024;

/** The newest part of a realm's log: every entry with `start < id <= head`. */
export interface RealmLog {
  readonly realmId: number;
  entries: LogEntry[];
  sizeBytes: number;
  start: number;
  head: number;
  /** Digest of the entry `head`; undefined where the log was empty. */
  headDigest: number | undefined;
  /**
   * The newest entry that has changed or removed content. Data that earlier writes left in memory
   * is out of date.
   */
  contentChangedAt: number;
  /** Place up to which the log was searched for the polls that wait. */
  wokenTo: number;
  /** A read of new entries that is under way. It gives the error if the read fails. */
  catchingUp: Promise<unknown> | undefined;
  /** The read that follows it, if another one was asked for meanwhile. */
  catchUpNext: CatchUp | undefined;
}

/** A read of new entries: at once, or if the realm is among those whose logs have grown. */
export type CatchUp = "read" | Promise<ReadonlySet<number>>;

const selectAfter = statement(
  (db, { eventLog: log }, given: Given<{ realmId: number; after: number }>) => {
    const isNext = and(eq(log.realmId, given.realmId), gt(log.id, given.after));
    const [most, bytesMax] = [sql.raw(String(pageEntries)), sql.raw(String(pageBytes))];
    const sized = sql`select ${log.id} as id, octet_length(${log.audience}) + octet_length(${log.body}) as size
    from ${log} where ${isNext} order by ${log.id} limit ${most}`;
    const summed = sql`select id, sum(size) over (order by id) as bytes from (${sized}) as sized`;
    const full = sql`(select id from (${summed}) as summed where bytes > ${bytesMax} order by id limit 1)`;
    return db
      .select({ id: log.id, audience: log.audience, body: log.body, createdAt: log.createdAt })
      .from(log)
      .where(
        and(
          isNext,
          sql`${log.id} <= coalesce(${full}, ${sql.raw(String(Number.MAX_SAFE_INTEGER))})`,
        ),
      )
      .orderBy(asc(log.id))
      .limit(pageEntries);
  },
);

/**
 * The next entries after a place in the log, oldest first, at most one page; empty at the end of
 * the log.
 */
export async function readLogPage(
  reader: Reader,
  realmId: number,
  after: number,
): Promise<LogEntry[]> {
  const rows = await selectAfter(reader, { realmId, after });
  return rows.map(({ id, audience, body, createdAt }) => ({
    id,
    realmId,
    audience: parseStored<Audience>(audience),
    event: parseStored<LoggedEvent>(body),
    sizeBytes: audience.length + body.length,
    digest: digestOf({ audience, body, createdAt }),
  }));
}

/** JSON that chatd itself wrote into the log. */
function parseStored<T>(json: string): T {
  return JSON.parse(json);
}

/** A log of which `newest` is the newest entry; undefined where it is empty. */
export function makeRealmLog(realmId: number, newest: LogPlace | undefined): RealmLog {
  const head = newest?.id ?? 0;
  return {
    realmId,
    entries: [],
    sizeBytes: 0,
    start: head,
    head,
    headDigest: newest?.digest,
    contentChangedAt: head,
    wokenTo: head,
    catchingUp: undefined,
    catchUpNext: undefined,
  };
}

/** The last wire id before those of the next entry, which may stand for several events. */
export const lastIdAfter = ({ head }: RealmLog): number =>
  (head + 1) * idsPerLogEntry - eventsPerEntryMax;

/**
 * The entry to which a wire id belongs: one of its events, or an event after it that is not stored.
 */
export const entryOf = (id: number): number =>
  Math.floor((id + eventsPerEntryMax - 1) / idsPerLogEntry);

const contentChanges = new Set(["delete_message", "update_message", "stream"]);

/**
 * Whether an event changes or removes content. Changes of an e-mail address count, because messages
 * show addresses.
 */
const changesContent = ({ type, person }: LoggedEvent) =>
  contentChanges.has(type) ||
  (type === "realm_user" &&
    typeof person === "object" &&
    person !== null &&
    "delivery_email" in person);

/** Adds the log's next entry. */
export function appendEntry(log: RealmLog, entry: LogEntry) {
  log.entries.push(entry);
  log.head = entry.id;
  log.headDigest = entry.digest;
  if (changesContent(entry.event)) log.contentChangedAt = entry.id;
  log.sizeBytes += entry.sizeBytes;
  while (log.entries.length > tailEntriesMax || log.sizeBytes > tailBytesMax) {
    const dropped = log.entries.splice(0, Math.ceil(log.entries.length * tailPartDropped));
    for (const { sizeBytes } of dropped) log.sizeBytes -= sizeBytes;
    log.start = dropped.at(-1)?.id ?? log.start;
  }
}

/** Drops all entries from memory. */
export function dropEntries(log: RealmLog) {
  log.entries = [];
  log.sizeBytes = 0;
  log.start = log.head;
}

/** The entries in memory after a place in the log. */
export function tailAfter(log: RealmLog, after: number): LogEntry[] {
  let first = log.entries.length;
  while (first > 0 && (log.entries[first - 1]?.id ?? 0) > after) first -= 1;
  return log.entries.slice(first);
}

export const hasInMemory = (log: RealmLog, entryId: number): boolean =>
  log.entries.findLast(({ id }) => id <= entryId)?.id === entryId;

/** Number of events for which entries are needed, and the limit of the bytes of the entries. */
interface Most {
  countMax: number;
  room: AnswerRoom;
}

/** Entries of the log, and the entry to continue from, which is undefined at the end. */
interface Entries {
  entries: LogEntry[];
  next: number | undefined;
}

/** The first entries, which stand for at most `countMax` events, but at least one entry. */
function firstOf(entries: LogEntry[], countMax: number): Entries {
  let count = 0;
  const end = entries.findIndex((entry, index) => {
    count += eventsIn(entry);
    return count > countMax && index > 0;
  });
  if (end === -1) return { entries, next: undefined };
  return { entries: entries.slice(0, end), next: entries[end]?.id };
}

/**
 * Entries after a place in the log that `wants` selects, for at most `countMax` events and about as
 * many bytes as fit. Entries that are no longer in memory are read from the database.
 */
export async function entriesAfter(
  log: RealmLog,
  reader: Reader,
  after: number,
  wants: (entry: LogEntry) => boolean,
  { countMax, room }: Most,
): Promise<Entries> {
  if (after >= log.start) return firstOf(tailAfter(log, after).filter(wants), countMax);
  const entries: LogEntry[] = [];
  let sizeBytes = 0;
  let count = 0;
  for await (const page of pagesAfter(log, reader, after)) {
    for (const entry of page.entries.filter(wants)) {
      entries.push(entry);
      sizeBytes += entry.sizeBytes;
      count += eventsIn(entry);
    }
    room.expect(sizeBytes);
    if (count < countMax && sizeBytes < room.sizeBytesMax) continue;
    const first = firstOf(entries, countMax);
    return { entries: first.entries, next: first.next ?? page.next };
  }
  return { entries, next: undefined };
}

/**
 * Number of events of the entries after a place in the log that `wants` selects, counted up to a
 * limit.
 */
export async function countAfter(
  log: RealmLog,
  reader: Reader,
  after: number,
  wants: (entry: LogEntry) => boolean,
  countMax: number,
): Promise<number> {
  const countIn = (entries: LogEntry[]) =>
    entries.reduce((sum, entry) => (wants(entry) ? sum + eventsIn(entry) : sum), 0);
  if (after >= log.start) return countIn(tailAfter(log, after));
  let count = 0;
  for await (const { entries } of pagesAfter(log, reader, after)) {
    count += countIn(entries);
    if (count >= countMax) break;
    // Other work runs between two pages, because a database inside the process blocks it while it
    // reads.
    await turn();
  }
  return count;
}

/** The entries of the database after a place in the log, up to the current end of the log. */
async function* pagesAfter(log: RealmLog, reader: Reader, after: number) {
  const end = log.head;
  for (let place = after; place < end; ) {
    const page = await readLogPage(reader, log.realmId, place);
    place = page.at(-1)?.id ?? end;
    yield {
      entries: page.filter(({ id }) => id <= end),
      next: place < end ? place + 1 : undefined,
    };
  }
}
