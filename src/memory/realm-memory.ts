import { and, asc, eq, gte } from "drizzle-orm";
import {
  type Given,
  type Reader,
  type Standpoint,
  statement,
  type WriteStandpoint,
} from "../../db/reader";
import type { ToldTable } from "../../db/schema/tables";
import type { LogEntry } from "../core/context";
import { readLogHead } from "./log-head";

/**
 * Caches of results that are computed from a realm's data. Every write that changes a table notes
 * that in the realm's log (`write`), in whichever process it runs. So the log tells exactly which
 * results are out of date.
 */

/** The type of the log entry that names the tables that a write has changed. */
export const tablesChangedType = "server_tables_changed";

/**
 * The tables whose results can be cached: their traits (`changes`) say that each change is noted in
 * the log, except new messages.
 */
export type RememberedTable = ToldTable;

/** Number of realms with cached results; the least recently used ones are dropped. */
const realmsMax = 256;

/**
 * Number of new log entries that are read at a time; if there are more, all cached results are
 * dropped instead.
 */
const entriesPerLook = 1_000;

/** Number of items whose changes are tracked; beyond it all items count as changed. */
const itemChangesMax = 10_000;

const selectFrom = statement((db, t, given: Given<{ realmId: number; from: number }>) =>
  db
    .select({ id: t.eventLog.id, type: t.eventLog.type, body: t.eventLog.body })
    .from(t.eventLog)
    .where(and(eq(t.eventLog.realmId, given.realmId), gte(t.eventLog.id, given.from)))
    .orderBy(asc(t.eventLog.id))
    .limit(entriesPerLook + 2),
);

/**
 * The entries of a realm's log after a place; undefined where there are too many, or where some of
 * them were deleted.
 */
type Entries = Awaited<ReturnType<typeof selectFrom>> | undefined;

/**
 * The log loses its oldest entries first, so while it still has the entry of the place, it has all
 * later ones.
 */
async function entriesAfter(reader: Reader, realmId: number, place: number): Promise<Entries> {
  const [first, ...entries] = await selectFrom(reader, { realmId, from: place });
  return first?.id === place && entries.length <= entriesPerLook ? entries : undefined;
}

/** The types of entries that change single items, with the field that names the item. */
export const itemFields: Map<string, string> = new Map();

/**
 * Functions by type of the entries that announce a new item: they take it from the data that the
 * write left in memory.
 */
export const newItems: Map<string, (engine: object, entry: LogEntry) => void> = new Map();

/**
 * Changes of a realm after `since` and up to `head`, by places in its log, and the cached values.
 */
export class RealmMemory {
  /** Places of readers in the log, each valid while the version of the data does not change. */
  readonly seen = new WeakMap<Standpoint, { version: number; head: number }>();
  /** The read of log entries after `head`, while it is under way. */
  catchingUp: Promise<void> | undefined;
  private readonly tables = new Map<string, number>();
  private readonly items = new Map<number, number>();
  private itemsSince: number;

  constructor(
    private since: number,
    public head: number,
  ) {
    this.itemsSince = since;
  }

  /** The newest known change of any of these tables. */
  changeOf(tables: readonly RememberedTable[]): number {
    let newest = this.since;
    for (const table of tables) newest = Math.max(newest, this.tables.get(table) ?? 0);
    return newest;
  }

  /** The newest change of an item, apart from changes of its tables. */
  changeOfItem(id: number): number {
    return this.items.get(id) ?? this.itemsSince;
  }

  /**
   * Adds the log entries after `head`. Earlier ones are skipped, because two readers may bring them
   * at once.
   */
  take(entries: Entries, headOfReader: number) {
    if (!entries) {
      this.forget(Math.max(headOfReader, this.head));
      return;
    }
    for (const { id, type, body } of entries)
      if (id > this.head) this.takeOne(id, type, () => JSON.parse(body));
  }

  /** Adds the entry that comes after `head`. */
  takeOne(id: number, type: string, readEvent: () => Record<string, unknown>) {
    this.head = id;
    if (type === tablesChangedType) this.noteTables(id, readEvent());
    const field = itemFields.get(type);
    if (field !== undefined) this.noteItem(id, readEvent()[field]);
  }

  /** Marks everything up to a place as changed. */
  forget(head: number) {
    this.tables.clear();
    this.items.clear();
    this.since = this.itemsSince = this.head = head;
  }

  private noteTables(id: number, { tables }: Record<string, unknown>) {
    if (Array.isArray(tables)) for (const table of tables) this.tables.set(table, id);
  }

  private noteItem(id: number, item: unknown) {
    if (this.items.size >= itemChangesMax) {
      this.items.clear();
      this.itemsSince = id;
    }
    for (const one of Array.isArray(item) ? item : [item])
      if (typeof one === "number") this.items.set(one, id);
  }
}

const memories = new WeakMap<object, Map<number, RealmMemory>>();

/** Memory of a realm that is up to date for a reader, and the reader's place in the log. */
export interface MemoryAtPlace {
  memory: RealmMemory;
  head: number;
}

/**
 * Memory of the realm and the reader's place, if they are known without a query. It is called
 * before `readMemory`, because waiting for a promise costs more, and one request asks dozens of
 * times.
 */
export function memoryAtHand(standpoint: Standpoint, realmId: number): MemoryAtPlace | undefined {
  const memory = memories.get(standpoint.engine)?.get(realmId);
  const seen = memory?.seen.get(standpoint);
  return memory && seen && standpoint.version() === seen.version
    ? { memory, head: seen.head }
    : undefined;
}

/** Memory of the realm, updated to the reader's place in the log by a query, and that place. */
export async function readMemory(
  reader: Reader,
  standpoint: Standpoint,
  realmId: number,
): Promise<MemoryAtPlace> {
  const realms = entryOf(memories, standpoint.engine, () => new Map<number, RealmMemory>());
  const version = standpoint.version();
  const head = await readLogHead(reader, realmId);
  const memory = realms.get(realmId) ?? new RealmMemory(head, head);
  if (head > memory.head) memory.take(await entriesAfter(reader, realmId, memory.head), head);
  if (version !== undefined) memory.seen.set(standpoint, { version, head });
  keepRecent(realms, realmId, memory);
  return { memory, head };
}

function keepRecent(realms: Map<number, RealmMemory>, realmId: number, memory: RealmMemory) {
  realms.delete(realmId);
  realms.set(realmId, memory);
  const [oldest] = realms.keys();
  if (realms.size > realmsMax && oldest !== undefined) realms.delete(oldest);
}

/**
 * Sets the place of a new reader: at `head`, the newest id of the realm's log, which was read when
 * the data had that version. Its reads of the realm then need no query for the place.
 */
export async function standAt(
  reader: Reader,
  realmId: number,
  { version, head }: { version: number; head: number },
) {
  const { standpoint } = reader;
  if (!standpoint) return;
  const realms = entryOf(memories, standpoint.engine, () => new Map<number, RealmMemory>());
  const memory = realms.get(realmId) ?? new RealmMemory(head, head);
  // Simultaneous readers share one read. It may have begun before the entries existed that this
  // reader needs, so the loop repeats it.
  while (head > memory.head) {
    memory.catchingUp ??= catchUp(reader, realmId, memory, head);
    await memory.catchingUp;
  }
  memory.seen.set(standpoint, { version, head });
  keepRecent(realms, realmId, memory);
}

async function catchUp(reader: Reader, realmId: number, memory: RealmMemory, head: number) {
  try {
    memory.take(await entriesAfter(reader, realmId, memory.head), head);
    // The missing log entries are already deleted, so anything may have changed.
    if (memory.head < head) memory.forget(head);
  } finally {
    memory.catchingUp = undefined;
  }
}

/**
 * Memory of the realm in a write. A write sees the whole log of the realm, because no other write
 * adds to it meanwhile.
 */
export async function readMemoryInWrite(
  reader: Reader,
  at: WriteStandpoint,
): Promise<MemoryAtPlace> {
  const { engine, realmId } = at;
  const logHead = typeof at.logHead === "number" ? at.logHead : await at.logHead;
  const realms = entryOf(memories, engine, () => new Map<number, RealmMemory>());
  const memory = realms.get(realmId) ?? new RealmMemory(logHead, logHead);
  if (logHead > memory.head) {
    const entries = await entriesAfter(reader, realmId, memory.head);
    // Later entries belong to this transaction, which may still be rolled back.
    const settled = entries?.filter(({ id }) => id <= logHead);
    memory.take(settled, logHead);
  }
  keepRecent(realms, realmId, memory);
  return { memory, head: logHead };
}

/**
 * Adds the log entries of a write of this process, so that they need not be read. `logHeadBefore`:
 * the realm's newest log id before the group that it was committed with.
 */
export function takeCommitted(
  reader: Reader,
  realmId: number,
  entries: readonly LogEntry[],
  logHeadBefore: number,
) {
  const { standpoint } = reader;
  const memory = standpoint && memories.get(standpoint.engine)?.get(realmId);
  if (!memory || memory.head < logHeadBefore) return;
  for (const entry of entries) {
    const { id, event, live } = entry;
    if (id > memory.head) memory.takeOne(id, event.type, () => event);
    if (live !== undefined) newItems.get(event.type)?.(standpoint.engine, entry);
  }
  const version = standpoint.version();
  const seen = memory.seen.get(standpoint);
  if (version === undefined || !seen || seen.version < version - 1) return;
  memory.seen.set(standpoint, { version, head: memory.head });
}

const findMemory = async (reader: Reader, standpoint: Standpoint, realmId: number) =>
  memoryAtHand(standpoint, realmId) ?? readMemory(reader, standpoint, realmId);

/**
 * The newest id of a realm's log for the reader, 0 where the log is empty: by a query only where it
 * is not known.
 */
export const findLogHead = async (reader: Reader, realmId: number): Promise<number> =>
  reader.standpoint
    ? (await findMemory(reader, reader.standpoint, realmId)).head
    : readLogHead(reader, realmId);

/** Reads the new entries of a realm's log before the log deletes them. */
export async function keepUp(reader: Reader, realmId: number): Promise<void> {
  if (reader.standpoint) await findMemory(reader, reader.standpoint, realmId);
}

interface KeyedMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

export function entryOf<Key, Value>(map: KeyedMap<Key, Value>, key: Key, make: () => Value): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = make();
  map.set(key, value);
  return value;
}
