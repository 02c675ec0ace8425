import type { DataState, Reader } from "../../db/reader";

interface Moment<Value> {
  /** The version of the last change of one of the tables. */
  changedAt: number;
  values: Map<string, Value>;
}

/**
 * Caches rows that are read at the beginning of every request, for all realms, until a write of any
 * realm changes one of these tables. Caches nothing on PostgreSQL, because only a query could
 * detect a change there. Never caches that a row is missing, because anybody can ask for rows that
 * do not exist, and such results would displace the others.
 */
export function cachedUntilChange<Value>(
  tables: readonly string[],
  countMax: number,
): (reader: Reader, key: string, load: () => Promise<Value>) => Value | Promise<Value> {
  const moments = new WeakMap<object, Moment<Value>>();
  return (reader, key, load) => {
    const { dataState } = reader;
    const changedAt = dataState?.changeOf(tables);
    if (!dataState || changedAt === undefined) return load();
    const last = moments.get(dataState.engine);
    const moment: Moment<Value> =
      last && last.changedAt === changedAt ? last : { changedAt, values: new Map() };
    if (moment !== last) moments.set(dataState.engine, moment);
    return moment.values.get(key) ?? loadFor(moment, dataState, key, load);
  };
  async function loadFor(
    { values, changedAt }: Moment<Value>,
    { changeOf }: DataState,
    key: string,
    load: () => Promise<Value>,
  ) {
    const value = await load();
    if (value === undefined) return value;
    if (values.size >= countMax) values.clear();
    if (changeOf(tables) === changedAt) values.set(key, value);
    return value;
  }
}
