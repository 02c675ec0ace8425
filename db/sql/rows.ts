import { type Column, eq, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Dialect } from "../schema";
import type { TableName } from "../schema/tables";

/**
 * Way from a query to the rows of another table: what it joins, what it adds to its conditions,
 * what it selects of it.
 */
export interface LedRows<T> {
  rows: T | SQL;
  where: SQL | undefined;
  columns<Columns extends Record<string, Column>>(columns: Columns): Columns;
}

/**
 * The rows of a table to which a condition leads from each row before, for a cross join. The index
 * of the condition is used on both engines: SQLite keeps the order of a cross join, and PostgreSQL
 * cannot turn it round where the rows are a subquery of their own, which the offset makes them.
 */
export function rowsLedTo<T extends SQLWrapper>(
  dialect: Dialect,
  table: T,
  condition: SQL | undefined,
): LedRows<T> {
  if (dialect === "sqlite") return { rows: table, where: condition, columns: (columns) => columns };
  return {
    rows: sql`lateral (select * from ${table} where ${condition} offset 0) ${table}`,
    where: undefined,
    // Columns themselves would make drizzle miss their table among the joined ones.
    columns: (columns) =>
      mapValues(columns, (column) => sql`${column}`.mapWith(column)) as unknown as typeof columns,
  };
}

const mapValues = <Value, Mapped>(record: Record<string, Value>, map: (value: Value) => Mapped) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

/** The engine's own name for the place of a row, by which the rows of every table can be named. */
export const rowPlace = (dialect: Dialect): SQL => (dialect === "sqlite" ? sql`rowid` : sql`ctid`);

/**
 * The id of a new row of a table, where a statement must give a value to each column. SQLite gives
 * an id of its own to a row that comes with null.
 */
export const newId = (dialect: Dialect, table: TableName): SQL =>
  dialect === "sqlite"
    ? sql`null`
    : sql`nextval(pg_get_serial_sequence(${sql.raw(`'${table}'`)}, 'id'))`;

/**
 * The condition that rows are numbered in one order with those of a realm. SQLite numbers the rows
 * of all realms together and knows the newest of them at once, while it would count through those
 * of one realm. PostgreSQL has an order of ids within a realm only.
 */
export const isNumberedWith = (
  dialect: Dialect,
  realmId: Column,
  wanted: Placeholder<string, number>,
): SQL | undefined => (dialect === "sqlite" ? undefined : eq(realmId, wanted));
