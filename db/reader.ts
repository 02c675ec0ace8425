import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { Dialect, Schema } from "./schema";

/** A drizzle database of either engine. Use awaited builders and `.returning()` only: they mean the same on both. */
export type Database = BunSQLiteDatabase;

/** What queries read with: outside a write it is read-only, inside one it is the write's own transaction. */
export interface Reader {
  readonly db: Database;
  readonly t: Schema;
  readonly dialect: Dialect;
}

interface Preparable<Row> {
  prepare(name?: string): { execute(values?: Record<string, unknown>): PromiseLike<Row> };
}

type Built<Row> = ReturnType<Preparable<Row>["prepare"]>;

let statementCount = 0;

/**
 * A query that is built and prepared once per connection and then run with the values of its placeholders
 * (`sql.placeholder("name")`). An unprepared drizzle query costs 6 to 11 times as much.
 */
export function statement<Values extends Record<string, unknown>, Row>(
  build: (
    db: Database,
    t: Schema,
  ) => { prepare(): { execute(values?: Record<string, unknown>): unknown } } & PromiseLike<Row>,
): (reader: Reader, values: Values) => PromiseLike<Row> {
  const name = `s${++statementCount}`;
  const prepared = new WeakMap<Database, Built<Row>>();
  return (reader, values) => {
    const { db } = reader;
    let query = prepared.get(db);
    if (!query) {
      query = (build(db, reader.t) as unknown as Preparable<Row>).prepare(name);
      prepared.set(db, query);
    }
    return query.execute(values);
  };
}
