/**
 * Changed copies of values. If nothing changes, each function returns the value that it was given,
 * because components compare values by identity to decide whether to render again.
 */

/** A row with some members replaced. */
export function withMembers<Row extends object>(row: Row, changes: Partial<Row>): Row {
  const before = new Map<string, unknown>(Object.entries(row));
  const isSame = Object.entries(changes).every(
    ([name, value]) => before.has(name) && Object.is(before.get(name), value),
  );
  return isSame ? row : { ...row, ...changes };
}

/** A map with entries added or replaced. It is copied once, however many they are. */
export function withEntries<Key, Row>(
  map: ReadonlyMap<Key, Row>,
  entries: Iterable<readonly [Key, Row]>,
): ReadonlyMap<Key, Row> {
  let copy: Map<Key, Row> | undefined;
  for (const [key, row] of entries) {
    const before = copy ?? map;
    if (before.has(key) && Object.is(before.get(key), row)) continue;
    copy ??= new Map(map);
    copy.set(key, row);
  }
  return copy ?? map;
}

/** A map with one more or replaced entry. */
export const put = <Key, Row>(
  map: ReadonlyMap<Key, Row>,
  key: Key,
  row: Row,
): ReadonlyMap<Key, Row> => withEntries(map, [[key, row]]);

/** A map with rows added, each under its key. */
export const putAll = <Key, Row>(
  map: ReadonlyMap<Key, Row>,
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): ReadonlyMap<Key, Row> =>
  withEntries(
    map,
    rows.map((row) => [keyOf(row), row]),
  );

/** A map without some entries. */
export function withoutKeys<Key, Row>(
  map: ReadonlyMap<Key, Row>,
  keys: Iterable<Key>,
): ReadonlyMap<Key, Row> {
  const gone = [...keys].filter((key) => map.has(key));
  if (gone.length === 0) return map;
  const copy = new Map(map);
  for (const key of gone) copy.delete(key);
  return copy;
}

/** A map with one row replaced, if the map contains it. */
export const change = <Key, Row>(
  map: ReadonlyMap<Key, Row>,
  key: Key,
  changed: (row: Row) => Row,
): ReadonlyMap<Key, Row> => changeSome(map, [key], changed);

/** A map with the rows of some keys replaced, as far as the map contains them. */
export const changeSome = <Key, Row>(
  map: ReadonlyMap<Key, Row>,
  keys: readonly Key[],
  changed: (row: Row, index: number) => Row,
): ReadonlyMap<Key, Row> =>
  withEntries(
    map,
    keys.flatMap((key, index) => {
      const row = map.get(key);
      return row === undefined ? [] : [[key, changed(row, index)]];
    }),
  );

/** A map with each row changed. A row that becomes undefined is removed. */
export function changeEach<Key, Row>(
  map: ReadonlyMap<Key, Row>,
  changed: (row: Row, key: Key) => Row | undefined,
): ReadonlyMap<Key, Row> {
  let copy: Map<Key, Row> | undefined;
  for (const [key, row] of map) {
    const after = changed(row, key);
    if (Object.is(after, row)) continue;
    copy ??= new Map(map);
    if (after === undefined) copy.delete(key);
    else copy.set(key, after);
  }
  return copy ?? map;
}

/** A set with more members. */
export function withAll<One>(set: ReadonlySet<One>, more: readonly One[]): ReadonlySet<One> {
  return more.every((one) => set.has(one)) ? set : new Set([...set, ...more]);
}

/** A set without some members. */
export function withoutAll<One>(set: ReadonlySet<One>, gone: readonly One[]): ReadonlySet<One> {
  if (!gone.some((one) => set.has(one))) return set;
  const copy = new Set(set);
  for (const one of gone) copy.delete(one);
  return copy;
}

/** Rows by their keys. */
export const byKey = <Key, Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): ReadonlyMap<Key, Row> => new Map(rows.map((row) => [keyOf(row), row]));
