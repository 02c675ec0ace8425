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
 * Results worked out from a realm's data are remembered for as long as they hold. Every write that
 * changes a table notes that in the realm's log (`write`), in whichever process it runs. So a look
 * at the log tells exactly which results are out of date.
 */

/** The type of the log entry that names the tables that a write has changed. */
export const tablesChangedType = "server_tables_changed";

/**
 * The tables that something may be remembered of: their traits (`changes`) say that each change of
 * them is noted, but for new messages.
 */
export type RememberedTable = ToldTable;

/** Of so many realms something is remembered at the most: the most recently used ones. */
const realmsMax = 256;

/**
 * So many new entries of the log are looked through; where there are more, everything is forgotten
 * instead.
 */
const entriesPerLook = 1_000;

/** Number of single items whose changes are kept in mind before all of them count as changed. */
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
 * them are gone by now.
 */
type Entries = Awaited<ReturnType<typeof selectFrom>> | undefined;

/**
 * The log forgets its oldest entries: as long as it has that of the place, it has all that came
 * after.
 */
async function entriesAfter(reader: Reader, realmId: number, place: number): Promise<Entries> {
  const [first, ...entries] = await selectFrom(reader, { realmId, from: place });
  return first?.id === place && entries.length <= entriesPerLook ? entries : undefined;
}

/** The types of entries that change single items, with the field that names the item. */
export const itemFields: Map<string, string> = new Map();

/**
 * By the types of entries that bring a new item: takes it from what the write that brought it has
 * left in memory.
 */
export const newItems: Map<string, (engine: object, entry: LogEntry) => void> = new Map();

/**
 * Changes of a realm after `since` and up to `head`, by places in its log, and the values that are
 * remembered.
 */
export class RealmMemory {
  /** Standpoints that readers were found to have, as long as the version of the data stays. */
  readonly seen = new WeakMap<Standpoint, { version: number; head: number }>();
  /** The reading of the log's entries after `head`, while that is under way. */
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

  /** The newest change of any of these tables, as far as it is known. */
  changeOf(tables: readonly RememberedTable[]): number {
    let newest = this.since;
    for (const table of tables) newest = Math.max(newest, this.tables.get(table) ?? 0);
    return newest;
  }

  /** The newest change of an item, but for those of its tables. */
  changeOfItem(id: number): number {
    return this.items.get(id) ?? this.itemsSince;
  }

  /**
   * Takes in the entries of the log after `head`. Entries that came before are passed over, because
   * two readers may bring them at once.
   */
  take(entries: Entries, headOfReader: number) {
    if (!entries) {
      this.forget(Math.max(headOfReader, this.head));
      return;
    }
    for (const { id, type, body } of entries)
      if (id > this.head) this.takeOne(id, type, () => JSON.parse(body));
  }

  /** Takes in the entry that comes after `head`. */
  takeOne(id: number, type: string, readEvent: () => Record<string, unknown>) {
    this.head = id;
    if (type === tablesChangedType) this.noteTables(id, readEvent());
    const field = itemFields.get(type);
    if (field !== undefined) this.noteItem(id, readEvent()[field]);
  }

  /** From here on anything may have changed up to a place. */
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

/** Memory of the realm, brought up to where the reader stands, and that place in the log. */
export async function readMemory(
  reader: Reader,
  standpoint: Standpoint,
  realmId: number,
  again = false,
) {
  const realms = entryOf(memories, standpoint.engine, () => new Map<number, RealmMemory>());
  const kept = realms.get(realmId);
  const version = standpoint.version();
  const seen = kept?.seen.get(standpoint);
  if (kept && seen && version === seen.version && !again) return { memory: kept, head: seen.head };
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
 * Tells where a reader stands that looks for the first time: at `head`, the newest id of the
 * realm's log, which was read when the data had that version. Its reads of the realm then need no
 * look of their own.
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
  // Many that arrive together share the reading; it may have begun before there was all that this
  // one is to know.
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
    // Log entries that it had then are gone by now, and nobody knows what they told.
    if (memory.head < head) memory.forget(head);
  } finally {
    memory.catchingUp = undefined;
  }
}

/** Memory of the realm in a write, which sees all of the realm's log and knows where it ends. */
export async function readMemoryInWrite(
  reader: Reader,
  at: WriteStandpoint,
): Promise<{ memory: RealmMemory; head: number }> {
  const { engine, realmId } = at;
  const logHead = typeof at.logHead === "number" ? at.logHead : await at.logHead;
  const realms = entryOf(memories, engine, () => new Map<number, RealmMemory>());
  const memory = realms.get(realmId) ?? new RealmMemory(logHead, logHead);
  if (logHead > memory.head) {
    const entries = await entriesAfter(reader, realmId, memory.head);
    // Later entries are of this transaction, which may still be undone.
    const settled = entries?.filter(({ id }) => id <= logHead);
    memory.take(settled, logHead);
  }
  keepRecent(realms, realmId, memory);
  return { memory, head: logHead };
}

/**
 * Takes in what a write of this process has added to the log, so that it need not be read.
 * `logHeadBefore`: the realm's newest log id before the group that it was committed with.
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

/**
 * The newest id of a realm's log as the reader sees it, 0 where there is none: a query only where
 * that is not known.
 */
export const findLogHead = async (reader: Reader, realmId: number): Promise<number> =>
  reader.standpoint
    ? (await readMemory(reader, reader.standpoint, realmId)).head
    : readLogHead(reader, realmId);

/** Looks at what is new in a realm's log, so that it is known before the log forgets it. */
export async function keepUp(reader: Reader, realmId: number): Promise<void> {
  if (reader.standpoint) await readMemory(reader, reader.standpoint, realmId);
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
