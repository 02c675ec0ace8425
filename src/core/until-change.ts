import type { Reader } from "../../db/reader";

interface Moment<Value> {
  /** The version with which one of the tables changed last. */
  changedAt: number;
  values: Map<string, Value>;
}

/**
 * Remembers what is read at the beginning of every request, whichever realm it is for, until one of these tables changes:
 * any of the database. Nothing on PostgreSQL, where only a query could tell.
 */
export function rememberedUntilChange<Value>(
  tables: readonly string[],
  countMax: number,
): (reader: Reader, key: string, load: () => Promise<Value>) => Promise<Value> {
  const moments = new WeakMap<object, Moment<Value>>();
  return async (reader, key, load) => {
    const { standpoint } = reader;
    const changedAt = standpoint?.changeOf(tables);
    if (!standpoint || changedAt === undefined) return load();
    const last = moments.get(standpoint.engine);
    const moment: Moment<Value> = last && last.changedAt === changedAt ? last : { changedAt, values: new Map() };
    if (moment !== last) moments.set(standpoint.engine, moment);
    const known = moment.values.get(key);
    if (known !== undefined) return known;
    const value = await load();
    if (moment.values.size >= countMax) moment.values.clear();
    if (standpoint.changeOf(tables) === changedAt) moment.values.set(key, value);
    return value;
  };
}
