import { decoderOf, type MapRows, type PreparedRows, rowsInside } from "./drizzle-internals";

type Decode = NonNullable<ReturnType<typeof decoderOf>>;

/**
 * Makes a prepared query build its objects by a plan that is computed once. Drizzle itself
 * determines the place and decoding of each column for each row again, which takes longer than
 * SQLite needs for the row.
 */
export function quicken<Query>(query: Query): Query {
  const mappable = rowsInside(query);
  mappable.customResultMapper ??= planOf(mappable);
  return query;
}

/**
 * The plan for a selection whose objects contain values, or objects of values that always exist;
 * undefined for other selections.
 */
function planOf({ fields, joinsNotNullableMap = {} }: PreparedRows): MapRows | undefined {
  if (!fields || fields.some(({ path }) => path.length > 2)) return undefined;
  const isFlat = fields.every(({ path }) => path.length === 1);
  // A missing row of a left join must become null as a whole. Drizzle does so.
  if (!isFlat && Object.values(joinsNotNullableMap).includes(false)) return undefined;
  const decoders = fields.map(({ field }) => decoderOf(field));
  if (isFlat) {
    const names = fields.map(({ path }) => path[0] as string);
    return (rows) => rows.map((row) => makeObject(names, decoders, row));
  }
  const paths = fields.map(({ path }) => path);
  return (rows) => rows.map((row) => makeNested(paths, decoders, row));
}

const decoded = (value: unknown, decode: Decode | undefined) =>
  decode === undefined || value === null ? value : decode(value);

function makeObject(names: string[], decoders: (Decode | undefined)[], row: unknown[]) {
  const object: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i++) object[names[i] as string] = decoded(row[i], decoders[i]);
  return object;
}

function makeNested(paths: string[][], decoders: (Decode | undefined)[], row: unknown[]) {
  const object: Record<string, unknown> = {};
  let inner: Record<string, unknown> = {};
  let innerName: string | undefined;
  for (let i = 0; i < paths.length; i++) {
    const [name = "", member] = paths[i] as string[];
    const value = decoded(row[i], decoders[i]);
    if (member === undefined) object[name] = value;
    else {
      if (name !== innerName) {
        innerName = name;
        inner = {};
        object[name] = inner;
      }
      inner[member] = value;
    }
  }
  return object;
}
