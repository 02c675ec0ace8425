import { type Column, eq, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Dialect } from "../schema";
import type { TableName } from "../schema/tables";

/**
 * Way from a query to the rows of another table: the join, its conditions, and the selected
 * columns.
 */
export interface LedRows<T> {
  rows: T | SQL;
  where: SQL | undefined;
  columns<Columns extends Record<string, Column>>(columns: Columns): Columns;
}

/**
 * The rows of a table that match a condition for each earlier row, for a cross join. Both engines
 * use the condition's index: SQLite keeps the order of a cross join, and PostgreSQL cannot reverse
 * it if the rows are a subquery, which the offset enforces.
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
    // The columns themselves would make drizzle miss their table among the joined ones.
    columns: (columns) =>
      mapValues(columns, (column) => sql`${column}`.mapWith(column)) as unknown as typeof columns,
  };
}

const mapValues = <Value, Mapped>(record: Record<string, Value>, map: (value: Value) => Mapped) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

/** The engine's own name for the place of a row, which identifies the rows of every table. */
export const rowPlace = (dialect: Dialect): SQL => (dialect === "sqlite" ? sql`rowid` : sql`ctid`);

/**
 * The id of a new row of a table, for a statement that must give a value to each column. SQLite
 * replaces null by a new id.
 */
export const newId = (dialect: Dialect, table: TableName): SQL =>
  dialect === "sqlite"
    ? sql`null`
    : sql`nextval(pg_get_serial_sequence(${sql.raw(`'${table}'`)}, 'id'))`;

/**
 * The condition that rows belong to the id sequence of a realm. SQLite has one sequence for all
 * realms and finds its newest id at once, while it would scan for that of one realm. PostgreSQL has
 * an order of ids within a realm only.
 */
export const isNumberedWith = (
  dialect: Dialect,
  realmId: Column,
  wanted: Placeholder<string, number>,
): SQL | undefined => (dialect === "sqlite" ? undefined : eq(realmId, wanted));
