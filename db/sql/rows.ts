import { type Column, eq, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Dialect } from "../schema";
import type { TableName } from "../schema/tables";

/**
 * The way from the rows of a query to rows of another table: the join, its conditions, and the
 * selected columns.
 */
interface JoinedRows<T> {
  rows: T | SQL;
  where: SQL | undefined;
  columns<Columns extends Record<string, Column>>(columns: Columns): Columns;
}

/**
 * Joins to each earlier row the rows of a table that match a condition, as a cross join. Both
 * engines then use the condition's index. SQLite keeps the order of a cross join. PostgreSQL cannot
 * reverse it, because the rows are a subquery, which the offset enforces.
 */
export function joinInOrder<T extends SQLWrapper>(
  dialect: Dialect,
  table: T,
  condition: SQL | undefined,
): JoinedRows<T> {
  if (dialect === "sqlite") return { rows: table, where: condition, columns: (columns) => columns };
  return {
    rows: sql`lateral (select * from ${table} where ${condition} offset 0) ${table}`,
    where: undefined,
    // With the columns themselves, drizzle would not find their table among the joined ones.
    columns: (columns) =>
      mapValues(columns, (column) => sql`${column}`.mapWith(column)) as unknown as typeof columns,
  };
}

const mapValues = <Value, Mapped>(record: Record<string, Value>, map: (value: Value) => Mapped) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

/** The engine's own name for the place of a row. It identifies rows in every table. */
export const rowPlace = (dialect: Dialect): SQL => (dialect === "sqlite" ? sql`rowid` : sql`ctid`);

/**
 * The id of a new row, for a statement that must give a value to each column. SQLite replaces null
 * by a new id.
 */
export const newId = (dialect: Dialect, table: TableName): SQL =>
  dialect === "sqlite"
    ? sql`null`
    : sql`nextval(pg_get_serial_sequence(${sql.raw(`'${table}'`)}, 'id'))`;

/**
 * The condition that rows take their ids from the sequence of a realm. It is undefined on SQLite,
 * which has one sequence for all realms: without the condition SQLite finds the newest id at once,
 * while with it SQLite would scan. On PostgreSQL ids are only ordered within a realm.
 */
export const isNumberedWith = (
  dialect: Dialect,
  realmId: Column,
  wanted: Placeholder<string, number>,
): SQL | undefined => (dialect === "sqlite" ? undefined : eq(realmId, wanted));
