import type { Reader } from "../../db/reader";
import type { LogEntry } from "../core/context";
import {
  type CachedTable,
  itemDrops,
  itemFields,
  memoryAtHand,
  memoryAtHandInWrite,
  newItems,
  type RealmMemory,
  readMemory,
  readMemoryInWrite,
} from "./realm-memory";

/** Cache of single items, such as messages, with one limit for all realms. */
interface ItemMemory<Item> {
  /**
   * The table whose rows are the items. A change of it makes all items out of date, or only those
   * of the changed rows where the log names them.
   */
  table: CachedTable;
  /** Other tables that items are read from. A change of them makes all items out of date. */
  tables: readonly CachedTable[];
  /**
   * The log entries that change single items: their types, and the field of each that contains the
   * id or the ids.
   */
  changedBy: readonly { type: string; field: string }[];
  /** The log entry that announces a new item. The write may leave the item in memory. */
  broughtBy: { type: string; field: string; itemOf(live: unknown): Item | undefined };
  sizeBytesMax: number;
  sizeBytesOf(item: Item): number;
  load(reader: Reader, realmId: number, ids: number[]): Promise<Map<number, Item>>;
}

/** Items in the order of the ids that were asked for; undefined for those that are missing. */
export type ItemsInOrder<Item> = (Item | undefined)[];

/** Chooses which of the items that are not cached are loaded, by the items that are. */
type ChooseItems<Item> = (found: ItemsInOrder<Item>, missing: number[]) => Promise<number[]>;

interface CachedItems<Item> {
  /**
   * Items by id, for readers outside of writes. `load` reads the items that are not cached, as of
   * the reader's place: all of them, or those that `choose` has chosen. They are a list, because it
   * takes longer to make a map of the messages of an answer than to find them.
   */
  read(
    reader: Reader,
    realmId: number,
    ids: readonly number[],
    choose?: ChooseItems<Item>,
  ): Promise<ItemsInOrder<Item>>;
  /**
   * The cached items among some ids, for a write, as they were when its transaction began. Empty
   * once the transaction has changed one of their tables. The log tells which single items may have
   * changed since they were cached.
   */
  findCached(reader: Reader, realmId: number, ids: readonly number[]): Promise<Map<number, Item>>;
}

export function cachedItems<Item>(of: ItemMemory<Item>): CachedItems<Item> {
  for (const { type, field } of of.changedBy) itemFields.set(type, field);
  const changeOfAll = (memory: RealmMemory) =>
    Math.max(memory.changeOf(of.tables), memory.changeOfAllRows(of.table));
  const stores = new WeakMap<object, ItemStore<Item>>();
  const storeOf = (engine: object) =>
    stores.getOrInsertComputed(engine, () => new ItemStore<Item>(of));
  itemDrops.push((engine) => stores.delete(engine));
  newItems.set(of.broughtBy.type, (engine, entry) => bring(of, storeOf(engine), entry));
  return {
    async read(reader, realmId, ids, choose = async (_, missing) => missing) {
      const { dataState } = reader;
      if (!dataState) {
        const loaded = await of.load(reader, realmId, await choose([], [...ids]));
        return ids.map((id) => loaded.get(id));
      }
      const store = storeOf(dataState.engine);
      const { memory, head } =
        memoryAtHand(dataState, realmId) ?? (await readMemory(reader, dataState, realmId));
      const since = changeOfAll(memory);
      const found: ItemsInOrder<Item> = [];
      const missing: number[] = [];
      for (const id of ids) {
        const stored = store.get(realmId, id);
        const isValid =
          stored && Math.max(since, memory.changeOfItem(id)) <= Math.min(stored.at, head);
        found.push(isValid ? stored.value : undefined);
        if (!isValid) missing.push(id);
      }
      if (missing.length === 0) return found;
      const chosen = await choose(found, missing);
      // The place is read before the items. A change during the read then makes them out of date,
      // even if the read already includes it. A snapshot keeps its place.
      const { head: at } = reader.moment ? { head } : await readMemory(reader, dataState, realmId);
      const loaded = await of.load(reader, realmId, chosen);
      for (const [id, value] of loaded) store.set(realmId, id, value, at);
      return ids.map((id, index) => found[index] ?? loaded.get(id));
    },
    async findCached(reader, realmId, ids) {
      const found = new Map<number, Item>();
      const at = reader.writeStandpoint;
      if (at?.realmId !== realmId || at.hasChanged([of.table, ...of.tables])) return found;
      const { memory } = memoryAtHandInWrite(at) ?? (await readMemoryInWrite(reader, at));
      const since = changeOfAll(memory);
      const store = storeOf(at.engine);
      for (const id of ids) {
        const stored = store.get(realmId, id);
        if (stored && Math.max(since, memory.changeOfItem(id)) <= stored.at)
          found.set(id, stored.value);
      }
      return found;
    },
  };
}

/**
 * Adds an item from the log entry that announces it. Later entries of that write may make it out of
 * date again.
 */
function bring<Item>(
  of: ItemMemory<Item>,
  store: ItemStore<Item>,
  { id: at, realmId, event, live }: LogEntry,
) {
  const item = of.broughtBy.itemOf(live);
  const id = event[of.broughtBy.field];
  if (item !== undefined && typeof id === "number") store.set(realmId, id, item, at);
}

interface Stored<Item> {
  realmId: number;
  value: Item;
  /** The place in the realm's log. */
  at: number;
  sizeBytes: number;
  /** Number of times that the hand will still pass over it: 1 for a new item, 2 after each use. */
  passes: number;
}

/**
 * Items by id, within a limit of bytes, with the GCLOCK algorithm: when the limit is exceeded, a
 * hand goes round and drops items that have not been used since it last passed, so items in use
 * stay. The hand also passes over new items once, because otherwise it would stay where new items
 * are added, drop each of them before its first use, and never reach old items that nobody uses.
 */
export class ItemStore<Item> {
  /** Items by their ids. All ids are of one table, so items of two realms never share an id. */
  private readonly items = new Map<number, Stored<Item>>();
  private hand = this.items.entries();
  sizeBytes = 0;

  constructor(private readonly of: Pick<ItemMemory<Item>, "sizeBytesMax" | "sizeBytesOf">) {}

  get(realmId: number, id: number): Stored<Item> | undefined {
    const stored = this.items.get(id);
    if (stored?.realmId !== realmId) return undefined;
    stored.passes = 2;
    return stored;
  }

  set(realmId: number, id: number, value: Item, at: number) {
    const sizeBytes = this.of.sizeBytesOf(value);
    this.sizeBytes += sizeBytes - (this.items.get(id)?.sizeBytes ?? 0);
    this.items.set(id, { realmId, value, at, sizeBytes, passes: 1 });
    while (this.sizeBytes > this.of.sizeBytesMax && this.items.size > 1) this.letGo();
  }

  private letGo() {
    const next = this.hand.next();
    if (next.done) {
      this.hand = this.items.entries();
      return;
    }
    const [id, stored] = next.value;
    if (stored.passes > 0) {
      stored.passes -= 1;
      return;
    }
    this.items.delete(id);
    this.sizeBytes -= stored.sizeBytes;
  }
}
