import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type Reader, statement } from "../../db/reader";
import type { Audience } from "../core/audience";
import type { LogEntry, LoggedEvent } from "../core/context";

/** How many entries of a realm's log stay in memory, and how much they take; what part is let go of at a time. */
const tailEntriesMax = 4_000;
const tailBytesMax = 16 * 1024 * 1024;
const tailPartDropped = 0.25;
const pageEntries = 1_000;

/** The newest part of a realm's log: every entry with `start < id <= head`. */
export interface RealmLog {
  readonly realmId: number;
  entries: LogEntry[];
  sizeBytes: number;
  start: number;
  head: number;
  /** The newest entry that changed or removed content, so that what writes left in memory before it is out of date. */
  contentChangedAt: number;
  /** Up to there the held polls have been looked at. */
  wokenTo: number;
  catchingUp: Promise<void> | undefined;
  catchUpAgain: boolean;
}

const selectHead = statement((db, t) =>
  db
    .select({ head: sql<number>`max(${t.eventLog.id})`.mapWith(Number) })
    .from(t.eventLog)
    .where(eq(t.eventLog.realmId, sql.placeholder("realmId"))),
);

const selectAfter = statement((db, t) =>
  db
    .select({ id: t.eventLog.id, audience: t.eventLog.audience, body: t.eventLog.body })
    .from(t.eventLog)
    .where(and(eq(t.eventLog.realmId, sql.placeholder("realmId")), gt(t.eventLog.id, sql.placeholder("after"))))
    .orderBy(asc(t.eventLog.id))
    .limit(pageEntries),
);

/** The id of the realm's newest log entry, 0 if there is none. */
export async function readLogHead(reader: Reader, realmId: number): Promise<number> {
  const [row] = await selectHead(reader, { realmId });
  return row?.head ?? 0;
}

/** The next entries after a place in the log, oldest first, at most a page of them. */
export async function readLogPage(reader: Reader, realmId: number, after: number): Promise<LogEntry[]> {
  const rows = await selectAfter(reader, { realmId, after });
  return rows.map(({ id, audience, body }) => ({
    id,
    realmId,
    audience: parseStored<Audience>(audience),
    event: parseStored<LoggedEvent>(body),
    sizeBytes: audience.length + body.length,
  }));
}

/** JSON that chatd itself wrote into the log. */
function parseStored<T>(json: string): T {
  return JSON.parse(json);
}

export function makeRealmLog(realmId: number, head: number): RealmLog {
  return {
    realmId,
    entries: [],
    sizeBytes: 0,
    start: head,
    head,
    contentChangedAt: head,
    wokenTo: head,
    catchingUp: undefined,
    catchUpAgain: false,
  };
}

const contentChanges = new Set(["delete_message", "update_message", "stream"]);

/** Messages show their people's addresses. */
const changesContent = ({ type, person }: LoggedEvent) =>
  contentChanges.has(type) ||
  (type === "realm_user" && typeof person === "object" && person !== null && "delivery_email" in person);

/** Adds the log's next entry. */
export function appendEntry(log: RealmLog, entry: LogEntry) {
  log.entries.push(entry);
  log.head = entry.id;
  if (changesContent(entry.event)) log.contentChangedAt = entry.id;
  log.sizeBytes += entry.sizeBytes;
  while (log.entries.length > tailEntriesMax || log.sizeBytes > tailBytesMax) {
    const dropped = log.entries.splice(0, Math.ceil(log.entries.length * tailPartDropped));
    for (const { sizeBytes } of dropped) log.sizeBytes -= sizeBytes;
    log.start = dropped.at(-1)?.id ?? log.start;
  }
}

/** The entries in memory after a place in the log. */
export function tailAfter(log: RealmLog, after: number): LogEntry[] {
  let first = log.entries.length;
  while (first > 0 && (log.entries[first - 1]?.id ?? 0) > after) first -= 1;
  return log.entries.slice(first);
}

/**
 * The entries after a place in the log that `wants` picks, at most `countMax` of them: from the database as far as memory
 * does not reach back.
 */
export async function entriesAfter(
  log: RealmLog,
  reader: Reader,
  after: number,
  wants: (entry: LogEntry) => boolean,
  countMax: number,
): Promise<LogEntry[]> {
  if (after >= log.start) return tailAfter(log, after).filter(wants);
  const found: LogEntry[] = [];
  const end = log.head;
  for (let place = after; place < end && found.length < countMax; ) {
    const page = await readLogPage(reader, log.realmId, place);
    found.push(...page.filter((entry) => entry.id <= end && wants(entry)));
    if (page.length < pageEntries) break;
    place = page.at(-1)?.id ?? end;
  }
  return found;
}
