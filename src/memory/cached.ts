import type { Reader, WriteStandpoint } from "../../db/reader";
import {
  type CachedTable,
  type MemoryAtPlace,
  memoryAtHand,
  memoryAtHandInWrite,
  type RealmMemory,
  readMemory,
  readMemoryInWrite,
} from "./realm-memory";

/**
 * Highest number of times that a value is computed because its data changes during each
 * computation. The last result is answered without being cached.
 */
const attemptsMax = 3;

/** A result, and the place in a realm's log as of which it was computed. */
interface ResultAtPlace<Value> {
  value: Value;
  at: number;
}

interface CachedResult<Value> extends ResultAtPlace<Value> {
  /** The value as a promise, because a new one for each caller would take longer. */
  answer: Promise<Value>;
}

type Load<Value> = (reader: Reader, realmId: number, variant: string) => Promise<Value>;

interface Kept<Value> {
  values: WeakMap<RealmMemory, Map<string, CachedResult<Value>>>;
  /** Loads that are under way, by the moment of their snapshot. */
  loadings: WeakMap<object, Map<string, Promise<Value>>>;
}

interface Keeping<Value> {
  /** Most variants of a realm that are cached. */
  variantsMax?: number;
  /** Whether `load` reads with one statement, so that its result is of one moment. */
  isOneRead?: boolean;
  /**
   * Makes the value for the reader's place from an earlier one, which others still use, where only
   * rows with these ids of the first table have changed since. Undefined where it has to be loaded.
   */
  renew?: (
    before: Value,
    reader: Reader,
    realmId: number,
    ids: readonly number[],
  ) => Promise<Value | undefined>;
  /** Whether a value is cached. By default every value is. */
  isKept?(value: Value): boolean;
}

/**
 * Caches a value that is computed only from these tables of a realm. `load` runs when no value is
 * cached for the reader's place. In a write it also runs once the transaction has changed one of
 * the tables. All readers share the value, so nobody may change it.
 */
export function cached<Value>(
  tables: readonly CachedTable[],
  load: Load<Value>,
  { variantsMax = 1, isOneRead = false, isKept = () => true, renew }: Keeping<Value> = {},
): (reader: Reader, realmId: number, variant?: string) => Promise<Value> {
  const kept: Kept<Value> = { values: new WeakMap(), loadings: new WeakMap() };
  const of = { tables, load, ...kept, variantsMax, isOneRead, isKept, renew };
  return (reader, realmId, variant = "") => recallValue(of, reader, realmId, variant);
}

/** Caches a value for each variant. The caller names the variant. */
export function cachedBy<Value>(
  tables: readonly CachedTable[],
  { variantsMax = 1, isOneRead = false, isKept = () => true }: Keeping<Value>,
): (reader: Reader, realmId: number, variant: string, load: Load<Value>) => Promise<Value> {
  const kept: Kept<Value> = { values: new WeakMap(), loadings: new WeakMap() };
  return (reader, realmId, variant, load) => {
    const of = { tables, load, ...kept, variantsMax, isOneRead, isKept };
    return recallValue(of, reader, realmId, variant);
  };
}

/** Not `async`, because a value that is cached is answered with the promise that is cached, too. */
function recallValue<Value>(
  of: Cacheable<Value>,
  reader: Reader,
  realmId: number,
  variant: string,
): Promise<Value> {
  const { dataState, writeStandpoint } = reader;
  if (writeStandpoint) return recallValueInWrite(of, reader, writeStandpoint, realmId, variant);
  if (!dataState) return of.load(reader, realmId, variant);
  const recall = (place: MemoryAtPlace) => recallValueAt(of, reader, place, realmId, variant);
  const place = memoryAtHand(dataState, realmId);
  return place ? recall(place) : readMemory(reader, dataState, realmId).then(recall);
}

function recallValueAt<Value>(
  of: Cacheable<Value>,
  reader: Reader,
  { memory, head }: MemoryAtPlace,
  realmId: number,
  variant: string,
): Promise<Value> {
  const kept = of.values.get(memory)?.get(variant);
  if (kept && memory.changeOf(of.tables) <= Math.min(kept.at, head)) return kept.answer;
  const isOfOneMoment = of.isOneRead || reader.moment !== undefined;
  const load = () =>
    isOfOneMoment
      ? loadOnce(of, reader, { memory, head }, realmId, variant)
      : loadSteadily(of, reader, { memory, head }, realmId, variant);
  return reader.moment ? shareLoad(of, reader.moment, `${realmId} ${variant}`, load) : load();
}

/**
 * The load that is under way in a snapshot, for all who ask there meanwhile. Readers outside of it
 * may see another moment, so they load for themselves.
 */
function shareLoad<Value>(
  { loadings }: Cacheable<Value>,
  moment: object,
  key: string,
  load: () => Promise<Value>,
): Promise<Value> {
  const underWay = loadings.getOrInsertComputed(moment, () => new Map<string, Promise<Value>>());
  return underWay.getOrInsertComputed(key, async () => {
    try {
      return await load();
    } finally {
      underWay.delete(key);
    }
  });
}

/**
 * Reads a value with one statement or in a snapshot. The place is read before the value. An entry
 * during the read then makes the value out of date, even if the read already includes it.
 */
async function loadOnce<Value>(
  of: Cacheable<Value>,
  reader: Reader,
  { memory, head }: MemoryAtPlace,
  realmId: number,
  variant: string,
): Promise<Value> {
  const value =
    (await renewValue(of, reader, { memory, head }, realmId, variant)) ??
    (await of.load(reader, realmId, variant));
  keep(of, memory, variant, { value, at: head });
  return value;
}

/** The value that is made from the cached one; undefined where that is not possible. */
async function renewValue<Value>(
  { tables, values, renew }: Cacheable<Value>,
  reader: Reader,
  { memory, head }: MemoryAtPlace,
  realmId: number,
  variant: string,
): Promise<Value | undefined> {
  const [table, ...others] = tables;
  const kept = values.get(memory)?.get(variant);
  if (!renew || !kept || table === undefined || kept.at > head) return undefined;
  const ids = memory.changeOf(others) <= kept.at ? memory.changedRows(table, kept.at) : undefined;
  return ids && renew(kept.value, reader, realmId, ids);
}

/**
 * Reads a value, and reads it again if something has changed since the reader's place, because
 * parts of the value may then be of different moments.
 */
async function loadSteadily<Value>(
  of: Cacheable<Value>,
  reader: Reader,
  place: MemoryAtPlace,
  realmId: number,
  variant: string,
) {
  const { tables, load } = of;
  const { dataState } = reader;
  for (let before = place, attempt = 1; ; attempt++) {
    const value = await load(reader, realmId, variant);
    if (!dataState) return value;
    const after = await readMemory(reader, dataState, realmId);
    const isSame = after.memory.changeOf(tables) <= before.head;
    if (isSame) keep(of, after.memory, variant, { value, at: before.head });
    // Where the log has not grown until now, the value is of one moment, although the memory knows
    // of a newer change already.
    if (isSame || after.head === before.head || attempt === attemptsMax) return value;
    before = after;
  }
}

interface Cacheable<Value>
  extends Required<Omit<Keeping<Value>, "renew">>,
    Pick<Keeping<Value>, "renew">,
    Kept<Value> {
  tables: readonly CachedTable[];
  load: Load<Value>;
}

/**
 * Reads a value in a write. No other write changes the realm meanwhile, so a value that is valid at
 * the log's end stays valid until the write itself changes one of its tables.
 */
function recallValueInWrite<Value>(
  of: Cacheable<Value>,
  reader: Reader,
  at: WriteStandpoint,
  realmId: number,
  variant: string,
): Promise<Value> {
  if (at.realmId !== realmId || at.hasChanged(of.tables)) return of.load(reader, realmId, variant);
  const recall = ({ memory, head }: MemoryAtPlace) => {
    const kept = of.values.get(memory)?.get(variant);
    return kept && memory.changeOf(of.tables) <= kept.at
      ? kept.answer
      : loadInWrite(of, reader, at, { memory, head }, variant);
  };
  const place = memoryAtHandInWrite(at);
  return place ? recall(place) : readMemoryInWrite(reader, at).then(recall);
}

async function loadInWrite<Value>(
  of: Cacheable<Value>,
  reader: Reader,
  at: WriteStandpoint,
  { memory, head }: MemoryAtPlace,
  variant: string,
): Promise<Value> {
  const { tables, load } = of;
  const value = await load(reader, at.realmId, variant);
  if (at.hasChanged(tables)) return value;
  const found = { value, at: head };
  // New messages are not noted as a change of their table, so the value may include messages that
  // are rolled back later. It is cached only after the commit.
  if (tables.includes("messages")) reader.afterCommit?.(() => keep(of, memory, variant, found));
  else keep(of, memory, variant, found);
  return value;
}

function keep<Value>(
  { values, variantsMax, isKept }: Cacheable<Value>,
  memory: RealmMemory,
  variant: string,
  found: ResultAtPlace<Value>,
) {
  if (!isKept(found.value)) return;
  const variants = values.getOrInsertComputed(memory, () => new Map<string, CachedResult<Value>>());
  const kept = variants.get(variant);
  if (kept && kept.at > found.at) return;
  variants.delete(variant);
  const [oldest] = variants.keys();
  if (variants.size >= variantsMax && oldest !== undefined) variants.delete(oldest);
  variants.set(variant, { ...found, answer: Promise.resolve(found.value) });
}
