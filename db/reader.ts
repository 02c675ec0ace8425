import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { quicken } from "./row-mapper";
import type { Dialect, Schema } from "./schema";
import { noteWrites } from "./written";

/** A drizzle database of either engine. Use awaited builders and `.returning()` only: they mean the same on both. */
export type Database = BunSQLiteDatabase;

/**
 * From where a reader outside a write sees the data: what was worked out from it may be remembered, and is found again by
 * the readers that stand where it still holds.
 */
export interface Standpoint {
  /** One object for all readers of an engine: what is remembered hangs on it. */
  readonly engine: object;
  /** A number that is another one after each change of the data that is known of; undefined where only a query can tell. */
  version(): number | undefined;
  /** Whether the version tells of every change, also by other processes, up to the request that is being answered. */
  readonly isComplete: boolean;
}

/** What queries read with: outside a write it is read-only, inside one it is the write's own transaction. */
export interface Reader {
  readonly db: Database;
  readonly t: Schema;
  readonly dialect: Dialect;
  /** Undefined inside a write: what is read there may never come to be. */
  readonly standpoint?: Standpoint;
  /** Inside a write: told of each table that a prepared statement writes to. */
  readonly noteWrite?: (table: string) => void;
}

interface Preparable<Row> {
  prepare(name?: string): { execute(values?: Record<string, unknown>): PromiseLike<Row> };
}

type Built<Row> = { query: ReturnType<Preparable<Row>["prepare"]>; writesTo: string[] };

type Build<Row> = (
  db: Database,
  t: Schema,
  dialect: Dialect,
) => { prepare(): { execute(values?: Record<string, unknown>): unknown } } & PromiseLike<Row>;

/** Runs a query that was built with placeholders, with their values. */
type Run<Values, Row> = (reader: Reader, values: Values) => PromiseLike<Row>;

let statementCount = 0;

/**
 * A query that is built and prepared once per connection and then run with the values of its placeholders
 * (`sql.placeholder("name")`). An unprepared drizzle query costs 6 to 11 times as much.
 */
export function statement<Values extends Record<string, unknown>, Row>(build: Build<Row>): Run<Values, Row> {
  const name = `s${++statementCount}`;
  const prepared = new WeakMap<Database, Built<Row>>();
  return (reader, values) => {
    const { db } = reader;
    let built = prepared.get(db);
    if (!built) {
      const writesTo: string[] = [];
      const noting = noteWrites(db, (table) => writesTo.push(table));
      built = { query: prepare(build, noting, reader, name), writesTo };
      prepared.set(db, built);
    }
    for (const table of built.writesTo) reader.noteWrite?.(table);
    return built.query.execute(values);
  };
}

const prepare = <Row>(build: Build<Row>, db: Database, { t, dialect }: Reader, name?: string) =>
  quicken((build(db, t, dialect) as unknown as Preparable<Row>).prepare(name));

/**
 * Queries of many forms, each told from the others by a text: those that come first are prepared as `statement` does, as
 * connections keep what is prepared on them; beyond `formsMax` a query is built each time.
 */
export function statements<Values extends Record<string, unknown>, Row>(
  formsMax: number,
): (form: string, build: Build<Row>) => Run<Values, Row> {
  const known = new Map<string, Run<Values, Row>>();
  return (form, build) => {
    const found = known.get(form);
    if (found) return found;
    if (known.size >= formsMax) return (reader, values) => prepare(build, reader.db, reader).execute(values);
    const made = statement<Values, Row>(build);
    known.set(form, made);
    return made;
  };
}

/** The condition that a column holds one of the numbers of a list, which is one value of JSON: both engines read that. */
export const isIn = (dialect: Dialect, column: SQLWrapper, list: SQL | SQLWrapper): SQL =>
  dialect === "sqlite"
    ? sql`${column} in (select value from json_each(${list}))`
    : sql`${column} in (select value::bigint from json_array_elements_text(${list}::json))`;

/** The same with the placeholder `ids`, for `statement`. */
export const isAmongIds = (dialect: Dialect, column: SQLWrapper): SQL =>
  isIn(dialect, column, sql`${sql.placeholder("ids")}`);
