import { and, asc, eq, gte } from "drizzle-orm";
import {
  type DataState,
  type Given,
  onceAsOf,
  type Reader,
  statement,
  type WriteStandpoint,
} from "../../db/reader";
import type { LoggedTable } from "../../db/schema/tables";
import type { LogEntry } from "../core/context";
import { readLogHead } from "./log-head";

/**
 * Caches of results that are computed from a realm's data. Every write, in whichever process, notes
 * the tables that it changes in the realm's log (`write`). So the log tells exactly which results
 * are out of date.
 */

/** The type of the log entry that names the tables that a write has changed. */
export const tablesChangedType = "server_tables_changed";

/**
 * The tables whose results can be cached. Their traits (`changes`) say that each change is noted in
 * the log; only new messages are not noted.
 */
export type CachedTable = LoggedTable;

/** Number of realms with cached results; the least recently used ones are dropped. */
const realmsMax = 256;

/**
 * Number of new log entries that are read at a time. If there are more, all cached results are
 * dropped instead.
 */
const entriesPerRead = 1_000;

/** Number of items whose changes are tracked; beyond it all items count as changed. */
const itemChangesMax = 10_000;

const selectFrom = statement((db, t, given: Given<{ realmId: number; from: number }>) =>
  db
    .select({ id: t.eventLog.id, type: t.eventLog.type, body: t.eventLog.body })
    .from(t.eventLog)
    .where(and(eq(t.eventLog.realmId, given.realmId), gte(t.eventLog.id, given.from)))
    .orderBy(asc(t.eventLog.id))
    .limit(entriesPerRead + 2),
);

/**
 * The entries of a realm's log after a place; undefined where there are too many, or where the log
 * has already deleted some of them.
 */
type Entries = Awaited<ReturnType<typeof selectFrom>> | undefined;

/**
 * Reads the entries after a place. The log deletes its oldest entries first, so it has all later
 * entries as long as it has the entry of that place.
 */
async function entriesAfter(reader: Reader, realmId: number, place: number): Promise<Entries> {
  const [first, ...entries] = await selectFrom(reader, { realmId, from: place });
  return first?.id === place && entries.length <= entriesPerRead ? entries : undefined;
}

/**
 * Number of rows of a table whose changes are tracked; beyond it only the place of the last change
 * is known.
 */
const rowChangesMax = 10_000;

/** Changes of single rows of a table. */
interface RowChanges {
  /** The place of the last change of rows that are not known. */
  since: number;
  /** The place of the newest change of each row. */
  places: Map<number, number>;
}

/**
 * The types of log entries that change single items. For each it has the name of the field that
 * contains the item's id.
 */
export const itemFields: Map<string, string> = new Map();

/**
 * Functions that add a new item to a cache, by the type of the log entry that announces it. They
 * take the item from the data that the write has left in memory.
 */
export const newItems: Map<string, (engine: object, entry: LogEntry) => void> = new Map();

/** Functions that drop the cached items of an engine, one for each cache of items. */
export const itemDrops: ((engine: object) => void)[] = [];

/** Changes of a realm between the places `since` and `head` of its log, and the cached values. */
export class RealmMemory {
  /**
   * Places of readers in the log. Each is valid as long as the version of the data does not change.
   */
  readonly seen = new WeakMap<DataState, { version: number; head: number }>();
  /** The read of log entries after `head` that is running, if any. */
  catchingUp: Promise<void> | undefined;
  private readonly tables = new Map<string, number>();
  private readonly rows = new Map<string, RowChanges>();
  private readonly items = new Map<number, number>();
  private itemsSince: number;

  constructor(
    private since: number,
    public head: number,
  ) {
    this.itemsSince = since;
  }

  /** The newest known change of any of these tables. */
  changeOf(tables: readonly CachedTable[]): number {
    let newest = this.since;
    for (const table of tables) newest = Math.max(newest, this.tables.get(table) ?? 0);
    return newest;
  }

  /**
   * The newest change of a table whose rows are not known, so that any of them may have changed.
   */
  changeOfAllRows(table: CachedTable): number {
    return Math.max(this.since, this.rows.get(table)?.since ?? 0);
  }

  /** The ids of a table's rows that changed after a place; undefined where not all are known. */
  changedRows(table: CachedTable, after: number): number[] | undefined {
    if (this.changeOfAllRows(table) > after) return undefined;
    const places = this.rows.get(table)?.places ?? [];
    return [...places].flatMap(([id, at]) => (at > after ? [id] : []));
  }

  /** The newest change of an item. Changes of its tables as a whole are not included. */
  changeOfItem(id: number): number {
    return this.items.get(id) ?? this.itemsSince;
  }

  /**
   * Adds the log entries after `head`. Entries up to `head` are skipped, because two readers may
   * add them at once.
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

  /** Marks everything before a place as changed. */
  forget(head: number) {
    this.tables.clear();
    this.rows.clear();
    this.items.clear();
    this.since = this.itemsSince = this.head = head;
  }

  private noteTables(at: number, { tables, rows }: Record<string, unknown>) {
    if (!Array.isArray(tables)) return;
    for (const table of tables) {
      this.tables.set(table, at);
      const ids = isByTable(rows) ? rows[table] : undefined;
      if (!Array.isArray(ids)) this.rows.set(table, { since: at, places: new Map() });
      else {
        this.noteRows(at, table, ids);
        this.noteItem(at, ids);
      }
    }
  }

  private noteRows(at: number, table: string, ids: readonly unknown[]) {
    const changes = this.rows.getOrInsertComputed(table, () => ({
      since: this.since,
      places: new Map(),
    }));
    for (const id of ids) if (typeof id === "number") changes.places.set(id, at);
    if (changes.places.size > rowChangesMax) this.rows.set(table, { since: at, places: new Map() });
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

/** The ids of changed rows, in an entry that names them. */
const isByTable = (rows: unknown): rows is Record<string, unknown> =>
  typeof rows === "object" && rows !== null;

const memories = new WeakMap<object, Map<number, RealmMemory>>();

/**
 * Drops all that is cached, because the database may have lost writes, and may give the places that
 * these had in the log to others.
 */
export function forgetAll({ dataState }: Pick<Reader, "dataState">) {
  if (!dataState) return;
  memories.delete(dataState.engine);
  for (const drop of itemDrops) drop(dataState.engine);
}

/** Memory of a realm that is up to date for a reader, and the reader's place in the log. */
export interface MemoryAtPlace {
  memory: RealmMemory;
  head: number;
}

/**
 * Memory of the realm and the reader's place, if both are known without a query. It is called
 * before `readMemory`, because awaiting a promise takes longer, and one request asks dozens of
 * times.
 */
export function memoryAtHand(dataState: DataState, realmId: number): MemoryAtPlace | undefined {
  const memory = memories.get(dataState.engine)?.get(realmId);
  const seen = memory?.seen.get(dataState);
  return memory && seen && dataState.version() === seen.version
    ? { memory, head: seen.head }
    : undefined;
}

/**
 * Memory of the realm in a write, if it is known without a query. It is called before
 * `readMemoryInWrite`, for the reason that `memoryAtHand` gives.
 */
export function memoryAtHandInWrite({
  engine,
  realmId,
  logHead,
}: WriteStandpoint): MemoryAtPlace | undefined {
  const memory = memories.get(engine)?.get(realmId);
  return memory && typeof logHead === "number" && logHead <= memory.head
    ? { memory, head: logHead }
    : undefined;
}

/** Memory of the realm, updated to the reader's place in the log by a query, and that place. */
export async function readMemory(
  reader: Reader,
  dataState: DataState,
  realmId: number,
): Promise<MemoryAtPlace> {
  const realms = memories.getOrInsertComputed(
    dataState.engine,
    () => new Map<number, RealmMemory>(),
  );
  const version = dataState.version();
  const head = await onceAsOf(reader, `head of ${realmId}`, () => readLogHead(reader, realmId));
  const memory = realms.get(realmId) ?? new RealmMemory(head, head);
  if (head > memory.head) memory.take(await entriesAfter(reader, realmId, memory.head), head);
  if (version !== undefined) memory.seen.set(dataState, { version, head });
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
 * Sets the place of a new reader to `head`. This is the newest id of the realm's log, which was
 * read when the data had `version`. The reader then needs no query for its place.
 */
export async function standAt(
  reader: Reader,
  realmId: number,
  { version, head }: { version: number; head: number },
) {
  const { dataState } = reader;
  if (!dataState) return;
  const realms = memories.getOrInsertComputed(
    dataState.engine,
    () => new Map<number, RealmMemory>(),
  );
  const memory = realms.get(realmId) ?? new RealmMemory(head, head);
  // Readers at one moment share one query. The running query may have begun before the entries
  // existed that this reader needs, so the loop repeats it.
  while (head > memory.head) {
    memory.catchingUp ??= catchUp(reader, realmId, memory, head);
    await memory.catchingUp;
  }
  memory.seen.set(dataState, { version, head });
  keepRecent(realms, realmId, memory);
}

async function catchUp(reader: Reader, realmId: number, memory: RealmMemory, head: number) {
  try {
    memory.take(await entriesAfter(reader, realmId, memory.head), head);
    // The log has deleted the missing entries, so anything may have changed.
    if (memory.head < head) memory.forget(head);
  } finally {
    memory.catchingUp = undefined;
  }
}

/**
 * Memory of the realm in a write. A write sees the whole log of the realm, because no other write
 * of the realm runs meanwhile.
 */
export async function readMemoryInWrite(
  reader: Reader,
  at: WriteStandpoint,
): Promise<MemoryAtPlace> {
  const { engine, realmId } = at;
  const logHead = typeof at.logHead === "number" ? at.logHead : await at.logHead;
  const realms = memories.getOrInsertComputed(engine, () => new Map<number, RealmMemory>());
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
 * Adds the log entries of a write of this process, so that they need not be read. `logHeadBefore`
 * is the realm's newest log id before the group of writes that this write was committed with.
 */
export function takeCommitted(
  reader: Reader,
  realmId: number,
  entries: readonly LogEntry[],
  logHeadBefore: number,
) {
  const { dataState } = reader;
  const realms = dataState && memories.get(dataState.engine);
  const memory = realms?.get(realmId);
  if (!realms || !memory || memory.head < logHeadBefore) return;
  keepRecent(realms, realmId, memory);
  for (const entry of entries) {
    const { id, event, live } = entry;
    if (id > memory.head) memory.takeOne(id, event.type, () => event);
    if (live !== undefined) newItems.get(event.type)?.(dataState.engine, entry);
  }
  const version = dataState.version();
  const seen = memory.seen.get(dataState);
  if (version === undefined || !seen || seen.version < version - 1) return;
  memory.seen.set(dataState, { version, head: memory.head });
}

const findMemory = async (reader: Reader, dataState: DataState, realmId: number) =>
  memoryAtHand(dataState, realmId) ?? readMemory(reader, dataState, realmId);

/**
 * The newest id of a realm's log for the reader; 0 where the log is empty. A query reads it only if
 * it is not known.
 */
export const findLogHead = async (reader: Reader, realmId: number): Promise<number> =>
  reader.dataState
    ? (await findMemory(reader, reader.dataState, realmId)).head
    : readLogHead(reader, realmId);

/** Reads the new entries of a realm's log before the log deletes them. */
export async function keepUp(reader: Reader, realmId: number): Promise<void> {
  if (reader.dataState) await findMemory(reader, reader.dataState, realmId);
}
