import { and, asc, eq, getTableColumns, getTableName, gt, is, sql, Table } from "drizzle-orm";
import type { Reader } from "./reader";
import type { Schema } from "./schema";
import type { StoredValue } from "./stored-rows";

/** Column of a table, with the values that it allows. */
export interface TakenColumn {
  name: string;
  type: "number" | "string" | "boolean" | "bytes";
  isNullable: boolean;
  hasDefault: boolean;
}

/** A table of the schema for imported rows. */
export interface TakenTable {
  name: string;
  columns: readonly TakenColumn[];
}

const typeOf = (dataType: string): TakenColumn["type"] =>
  dataType === "number" || dataType === "string" || dataType === "boolean" ? dataType : "bytes";

const tablesBySchema = new WeakMap<Schema, ReadonlyMap<string, TakenTable>>();

/** The tables of a schema by their names in the database. */
export function takenTables(schema: Schema): ReadonlyMap<string, TakenTable> {
  const tables = tablesBySchema.get(schema) ?? listTables(schema);
  tablesBySchema.set(schema, tables);
  return tables;
}

function listTables(schema: Schema): Map<string, TakenTable> {
  const tables = Object.values(schema).filter((one) => is(one, Table));
  return new Map(
    tables.map((table) => {
      const columns = Object.values(getTableColumns(table)).map(
        ({ name, dataType, notNull, hasDefault }) => ({
          name,
          type: typeOf(dataType),
          isNullable: !notNull,
          hasDefault,
        }),
      );
      return [getTableName(table), { name: getTableName(table), columns }];
    }),
  );
}

function tableOf(t: Schema, name: string) {
  const table = Object.values(t).find((one) => is(one, Table) && getTableName(one) === name);
  if (!table) throw new Error(`There is no table ${name}.`);
  return table;
}

/**
 * Inserts rows with their ids into a table. Each row is an object by the names of the columns in
 * the database. With `passesOver`, rows that exist already are skipped.
 */
export async function takeRows(
  { db, t }: Reader,
  name: string,
  rows: readonly Readonly<Record<string, StoredValue>>[],
  { passesOver = false } = {},
): Promise<void> {
  const table = tableOf(t, name);
  const columns = Object.entries(getTableColumns(table));
  const values = rows.map((row) =>
    Object.fromEntries(
      columns.flatMap(([key, column]) => (column.name in row ? [[key, row[column.name]]] : [])),
    ),
  );
  // One statement inserts several rows, within the limit of either engine for the values in a
  // statement.
  const perStatement = Math.max(1, Math.floor(valuesMax / columns.length));
  for (let at = 0; at < values.length; at += perStatement) {
    const inserted = db.insert(table).values(values.slice(at, at + perStatement) as never);
    await (passesOver ? inserted.onConflictDoNothing() : inserted);
  }
}

const valuesMax = 10_000;
/**
 * Number of ids that other writes may take between the two statements of a reservation on
 * PostgreSQL.
 */
const marginIds = 10_000;
/** Limit of ids, because greater ones would soon exceed the integers that clients can represent. */
const idMax = 2 ** 42;

/** Error that the ids of imported rows have too large gaps to be reserved. */
class NoIdsLeftError extends Error {
  constructor(table: string) {
    super(
      `The ids of ${table} are so far apart in this file that this server has none left for them.`,
    );
    this.name = "NoIdsLeftError";
  }
}

/**
 * Reserves ids of a table for imported rows, whose ids in the file are `min` to `max`. Answers the
 * number that must be added to each: 0 if these ids are free, else a multiple of `unit`. Runs in a
 * write. Throws if there are not enough ids left.
 */
export async function reserveIds(
  reader: Reader,
  table: string,
  { min, max }: { min: number; max: number },
  unit: number,
): Promise<number> {
  const last = await lastId(reader, table);
  const isPostgres = reader.dialect === "postgres";
  const taken = last + (isPostgres ? marginIds : 0);
  const shift = min > taken ? 0 : Math.ceil((taken - min + 1) / unit) * unit;
  if (max + shift > idMax) throw new NoIdsLeftError(table);
  await setLastId(reader, table, max + shift);
  return shift;
}

interface Raw {
  all(query: ReturnType<typeof sql>): { seq: number }[];
  run(query: ReturnType<typeof sql>): unknown;
  execute(query: ReturnType<typeof sql>): PromiseLike<Record<string, unknown>[]>;
}

/** A database for statements that drizzle cannot express. */
export const rawOf = ({ db }: Reader) => db as unknown as Raw;

async function lastId(reader: Reader, table: string): Promise<number> {
  if (reader.dialect === "postgres") {
    const [row] = await rawOf(reader).execute(
      sql`SELECT nextval(pg_get_serial_sequence(${table}, 'id')) AS last`,
    );
    return Number(row?.["last"] ?? 0);
  }
  const [row] = await rawOf(reader).all(sql`SELECT seq FROM sqlite_sequence WHERE name = ${table}`);
  return row === undefined ? 0 : Number(Object.values(row)[0]);
}

async function setLastId(reader: Reader, table: string, id: number) {
  if (reader.dialect === "postgres") {
    await rawOf(reader).execute(
      sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${id}::bigint)`,
    );
    return;
  }
  await rawOf(reader).run(sql`DELETE FROM sqlite_sequence WHERE name = ${table}`);
  await rawOf(reader).run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${id})`);
}

const idsPerPage = 2_000;

/** The ids of a realm's rows in a table with ids of its own, in ascending order and in pages. */
export async function* idsOf(
  { db, t }: Reader,
  name: string,
  realmId: number,
): AsyncGenerator<number[]> {
  const table = tableOf(t, name) as Schema["messages"];
  for (let after = 0; ; ) {
    const rows = await db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.realmId, realmId), gt(table.id, after)))
      .orderBy(asc(table.id))
      .limit(idsPerPage);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}
