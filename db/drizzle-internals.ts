import { Column, eq, is, Placeholder, SQL, sql } from "drizzle-orm";
import { fillOf } from "./placeholders";
import type { Database } from "./reader";
import { type Dialect, schemaOf } from "./schema";

/**
 * Everything that chatd takes from inside drizzle, which guarantees none of it. A prepared query
 * knows its text, the places of its values and the columns that it selects. chatd caches these
 * facts, because drizzle computes many of them again each time that a query runs.
 *
 * This file is written for one version of drizzle, which `package.json` pins. `requireKnownDrizzle`
 * checks that version at each start.
 */
export const drizzleVersion = "0.45.4";

/** Turns the rows of the database into the objects of a query. */
export type MapRows = (rows: unknown[][]) => unknown[];

/** Column that a query selects: its path in the objects of the answer, and its declaration. */
interface Selected {
  path: string[];
  field: unknown;
}

/** The part of prepared queries that turns rows into objects: equal on both engines. */
export interface PreparedRows {
  fields?: Selected[] | undefined;
  joinsNotNullableMap?: Record<string, boolean> | undefined;
  /** Undefined where drizzle makes the objects from `fields`. */
  customResultMapper?: MapRows | undefined;
}

/** A prepared query for bun:sqlite, with the statement that drizzle has prepared for it. */
export interface PreparedOnSqlite<Stmt> extends PreparedRows {
  executeMethod: "run" | "all" | "get" | "values";
  query: { sql: string; params: unknown[] };
  stmt: Stmt;
}

/** A prepared query for postgres.js. */
interface PreparedOnPostgres extends PreparedRows {
  queryString: string;
  params: unknown[];
}

export const rowsInside = (prepared: unknown) => prepared as PreparedRows;
export const sqliteInside = <Stmt>(prepared: unknown) => prepared as PreparedOnSqlite<Stmt>;
export const postgresInside = (prepared: unknown) => prepared as PreparedOnPostgres;

type Decode = (value: unknown) => unknown;

interface Decoder {
  mapFromDriverValue: Decode;
}

const unchanged: unknown = Column.prototype.mapFromDriverValue;

/**
 * The conversion of a column's value to its declared type; undefined where the value stays
 * unchanged.
 */
export function decoderOf(field: unknown): Decode | undefined {
  const source = (
    is(field, Column) || is(field, SQL) ? field : (field as { sql: unknown }).sql
  ) as Decoder & {
    decoder?: Decoder;
  };
  const decoder = source.decoder ?? source;
  return decoder.mapFromDriverValue === unchanged
    ? undefined
    : decoder.mapFromDriverValue.bind(decoder);
}

/** The name in the database of a table of drizzle's, as a type. */
export type TableNameOf<Table extends { _: { name: string } }> = Table["_"]["name"];

/** A prepared query that uses everything that is taken from inside drizzle. */
export function prepareSample(dialect: Dialect, db: Database): unknown {
  const { serverFacts } = schemaOf(dialect);
  return db
    .select({
      name: serverFacts.name,
      length: sql<number>`length(value)`.mapWith(Number).as("length"),
    })
    .from(serverFacts)
    .where(eq(serverFacts.name, new Placeholder("wanted")))
    .prepare();
}

const knownDialects = new Set<Dialect>();

/**
 * Throws where drizzle's prepared queries differ from this file, so that an incompatible upgrade of
 * drizzle is noticed at the start, instead of by wrong rows. It prepares one query, once in a
 * process.
 */
export function requireKnownDrizzle(dialect: Dialect, database: () => Database): void {
  if (knownDialects.has(dialect)) return;
  const sample = prepareSample(dialect, database());
  requireKnownSample(dialect, sample);
  if (dialect === "sqlite") sqliteInside<{ finalize(): void }>(sample).stmt.finalize();
  knownDialects.add(dialect);
}

/** Throws where the prepared `prepareSample` differs from this file. */
export function requireKnownSample(dialect: Dialect, sample: unknown): void {
  const unknownPart = findUnknown(dialect, sample);
  if (unknownPart === undefined) return;
  throw new Error(
    `drizzle-orm does not work inside as its version ${drizzleVersion} does: ${unknownPart} of a prepared query is not as expected. ` +
      "Install that version, or bring db/drizzle-internals.ts up to the one that is installed.",
  );
}

function findUnknown(dialect: Dialect, sample: unknown): string | undefined {
  const parts =
    dialect === "sqlite"
      ? sqliteParts(sqliteInside(sample))
      : postgresParts(postgresInside(sample));
  const all = { ...parts, ...rowParts(rowsInside(sample)) };
  return Object.entries(all).find(([, isAsExpected]) => !holds(isAsExpected))?.[0];
}

/** Whether an expectation is met. One that throws is not, because it has found a missing value. */
function holds(isAsExpected: () => boolean): boolean {
  try {
    return isAsExpected();
  } catch {
    return false;
  }
}

type Parts = Readonly<Record<string, () => boolean>>;

const sqliteParts = ({ executeMethod, query, stmt }: PreparedOnSqlite<object>): Parts => ({
  "`executeMethod`": () => executeMethod === "all",
  "`query.sql`": () => isSampleText(query.sql),
  "`query.params`": () => isSampleValues(query.params),
  "`stmt`": () => ["run", "values", "finalize"].every((name) => name in Object(stmt)),
});

const postgresParts = ({ queryString, params }: PreparedOnPostgres): Parts => ({
  "`queryString`": () => isSampleText(queryString),
  "`params`": () => isSampleValues(params),
});

const rowParts = (rows: PreparedRows): Parts => ({
  "`fields`": () => {
    const paths = rows.fields?.map(({ path }) => path.join());
    return paths?.join(" ") === "name length" && is(rows.fields?.[0]?.field, Column);
  },
  "the decoder in `fields`": () => decoderOf(rows.fields?.[1]?.field)?.("7") === 7,
  "`joinsNotNullableMap`": () => rows.joinsNotNullableMap?.["server_facts"] === true,
  "`customResultMapper`": () =>
    "customResultMapper" in rows && rows.customResultMapper === undefined,
});

const isSampleText = (text: unknown) => typeof text === "string" && text.startsWith("select ");

const isSampleValues = (params: unknown) =>
  Array.isArray(params) && params.length === 1 && fillOf(params[0])({ wanted: "one" }) === "one";
