import type { Reader, WriteStandpoint } from "../../db/reader";
import {
  entryOf,
  type RealmMemory,
  type RememberedTable,
  readMemory,
  readMemoryInWrite,
} from "./realm-memory";

/**
 * Number of times that a value which changes meanwhile is worked out anew, before it is answered
 * without being remembered.
 */
const attemptsMax = 3;

/** A place in a realm's log, and the result that was worked out there. */
interface Remembered<Value> {
  value: Value;
  at: number;
}

type Load<Value> = (reader: Reader, realmId: number, variant: string) => Promise<Value>;
type Values<Value> = WeakMap<RealmMemory, Map<string, Remembered<Value>>>;

interface Keeping<Value> {
  /** So many variants of a realm are remembered at the most. */
  variantsMax?: number;
  /** Whether `load` reads with one statement, so that all of it is of one moment. */
  isOneRead?: boolean;
  /** Whether a value is worth it: all are by default. */
  isKept?(value: Value): boolean;
}

/**
 * Something that is worked out from these tables of a realm, and from nothing else: `load` runs
 * when it is not remembered as of where the reader stands. In a write it runs, too, once the
 * write's transaction has changed one of the tables. The answer is shared: nobody may change it.
 */
export function remembered<Value>(
  tables: readonly RememberedTable[],
  load: Load<Value>,
  { variantsMax = 1, isOneRead = false, isKept = () => true }: Keeping<Value> = {},
): (reader: Reader, realmId: number, variant?: string) => Promise<Value> {
  const values: Values<Value> = new WeakMap();
  const of = { tables, load, values, variantsMax, isOneRead, isKept };
  return (reader, realmId, variant = "") => recallValue(of, reader, realmId, variant);
}

/** Remembers a value by a variant that the caller names: each variant has one value. */
export function rememberedBy<Value>(
  tables: readonly RememberedTable[],
  { variantsMax = 1, isOneRead = false, isKept = () => true }: Keeping<Value>,
): (reader: Reader, realmId: number, variant: string, load: Load<Value>) => Promise<Value> {
  const values: Values<Value> = new WeakMap();
  return (reader, realmId, variant, load) =>
    recallValue({ tables, load, values, variantsMax, isOneRead, isKept }, reader, realmId, variant);
}

async function recallValue<Value>(
  of: Rememberable<Value>,
  reader: Reader,
  realmId: number,
  variant: string,
): Promise<Value> {
  const { standpoint, writeStandpoint } = reader;
  if (writeStandpoint) return recallValueInWrite(of, reader, writeStandpoint, realmId, variant);
  if (!standpoint) return of.load(reader, realmId, variant);
  const { memory, head } = await readMemory(reader, standpoint, realmId);
  const kept = of.values.get(memory)?.get(variant);
  if (kept && memory.changeOf(of.tables) <= Math.min(kept.at, head)) return kept.value;
  return of.isOneRead
    ? loadOnce(of, reader, { memory, head }, realmId, variant)
    : loadSteadily(of, reader, realmId, variant);
}

/** An entry that comes in while it is read makes it out of date, if it has not come in already. */
async function loadOnce<Value>(
  of: Rememberable<Value>,
  reader: Reader,
  { memory, head }: { memory: RealmMemory; head: number },
  realmId: number,
  variant: string,
): Promise<Value> {
  const value = await of.load(reader, realmId, variant);
  keep(of, memory, variant, { value, at: head });
  return value;
}

/**
 * Reads again where something changed meanwhile: pieces of it may be of before, others of after.
 */
async function loadSteadily<Value>(
  of: Rememberable<Value>,
  reader: Reader,
  realmId: number,
  variant: string,
) {
  const { tables, load } = of;
  const { standpoint } = reader;
  for (let attempt = 1; ; attempt++) {
    const before = standpoint && (await readMemory(reader, standpoint, realmId, true));
    const value = await load(reader, realmId, variant);
    const after = standpoint && (await readMemory(reader, standpoint, realmId, true));
    if (!before || !after) return value;
    const isSame = after.memory.changeOf(tables) <= before.head;
    if (isSame) keep(of, after.memory, variant, { value, at: before.head });
    // Where the log is known to go on after what the reader sees, that one sees one moment: reading
    // again brings nothing.
    if (isSame || after.head === before.head || attempt === attemptsMax) return value;
  }
}

interface Rememberable<Value> extends Required<Keeping<Value>> {
  tables: readonly RememberedTable[];
  load: Load<Value>;
  values: Values<Value>;
}

/**
 * In a write nobody else changes anything of its realm: what holds at its log's end holds as long
 * as it changes nothing itself.
 */
async function recallValueInWrite<Value>(
  of: Rememberable<Value>,
  reader: Reader,
  at: WriteStandpoint,
  realmId: number,
  variant: string,
): Promise<Value> {
  const { tables, load, values } = of;
  if (at.realmId !== realmId || at.hasChanged(tables)) return load(reader, realmId, variant);
  const { memory, head } = await readMemoryInWrite(reader, at);
  const kept = values.get(memory)?.get(variant);
  if (kept && memory.changeOf(tables) <= kept.at) return kept.value;
  const value = await load(reader, realmId, variant);
  if (at.hasChanged(tables)) return value;
  const found = { value, at: head };
  // New messages do not count as a change of theirs: what was read may be of some that are still
  // undone.
  if (tables.includes("messages")) reader.afterCommit?.(() => keep(of, memory, variant, found));
  else keep(of, memory, variant, found);
  return value;
}

function keep<Value>(
  { values, variantsMax, isKept }: Rememberable<Value>,
  memory: RealmMemory,
  variant: string,
  found: Remembered<Value>,
) {
  if (!isKept(found.value)) return;
  const variants = entryOf(values, memory, () => new Map<string, Remembered<Value>>());
  const kept = variants.get(variant);
  if (kept && kept.at > found.at) return;
  variants.delete(variant);
  const [oldest] = variants.keys();
  if (variants.size >= variantsMax && oldest !== undefined) variants.delete(oldest);
  variants.set(variant, found);
}
