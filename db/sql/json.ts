import { type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Dialect } from "../schema";

/** A list that is one JSON value in a statement. Both engines can read such a value. */
type JsonList = SQL | Placeholder<string, string>;

/** The condition that a column equals one of the numbers of a list. */
export const isIn = (dialect: Dialect, column: SQLWrapper, list: JsonList): SQL =>
  sql`${column} in (${numbersOf(dialect, list)})`;

/**
 * The condition that a row of a realm has one of some ids. On SQLite, `+` keeps the realm out of
 * the search: without it, SQLite may take an index that begins with the realm, and walk all rows of
 * the realm for a few ids.
 */
export const isRowOf = (
  dialect: Dialect,
  table: { realmId: SQLWrapper; id: SQLWrapper },
  realmId: SQLWrapper | number,
  ids: JsonList,
): SQL =>
  dialect === "sqlite"
    ? sql`(+${table.realmId} = ${realmId} and ${isIn(dialect, table.id, ids)})`
    : sql`(${table.realmId} = ${realmId} and ${isIn(dialect, table.id, ids)})`;

/** A subquery of the numbers of a list, without parentheses. */
export const numbersOf = (dialect: Dialect, list: JsonList): SQL =>
  dialect === "sqlite"
    ? sql`select value from json_each(${list})`
    : sql`select value::bigint from json_array_elements_text(${list}::json)`;

/**
 * See `isIn`, for a list with the least and the greatest of its numbers. PostgreSQL gets them,
 * because it does not know the list's length, and may search a whole index for it.
 */
export const isInWithin = (
  dialect: Dialect,
  column: SQLWrapper,
  list: JsonList,
  [first, last]: readonly [SQLWrapper, SQLWrapper],
): SQL =>
  dialect === "sqlite"
    ? isIn(dialect, column, list)
    : sql`(${column} between ${first} and ${last} and ${isIn(dialect, column, list)})`;

/** The condition that a column equals one of the texts of a list. */
export const isInTexts = (dialect: Dialect, column: SQLWrapper, list: JsonList): SQL =>
  dialect === "sqlite"
    ? sql`${column} in (select value from json_each(${list}))`
    : sql`${column} in (select value from json_array_elements_text(${list}::json))`;

/**
 * See `isInTexts`, for a query whose rows come in the order of an index. PostgreSQL makes no join
 * of it, after which it would have to sort all rows.
 */
export const isAmongTexts = (dialect: Dialect, column: SQLWrapper, list: JsonList): SQL =>
  dialect === "sqlite"
    ? isInTexts(dialect, column, list)
    : sql`${column} = any(array(select json_array_elements_text(${list}::json)))`;

/** A list of lists of numbers or texts as a table named `wanted`. */
export const wantedRows = (dialect: Dialect, list: Placeholder<string, string>): SQL =>
  dialect === "sqlite"
    ? sql`json_each(${list}) wanted`
    : sql`json_array_elements(${list}::json) wanted`;

/** The number at a place of each inner list of `wantedRows`. */
export const wantedAt = (dialect: Dialect, place: number): SQL =>
  sql.raw(
    dialect === "sqlite"
      ? `json_extract(wanted.value, '$[${place}]')`
      : `(wanted.value->>${place})::bigint`,
  );

/** The text at a place of each list of `wantedRows`. */
export const wantedText = (place: number): SQL => sql.raw(`wanted.value ->> ${place}`);

/**
 * All values of a subquery, in its order, as one JSON list, because fetching a row for each value
 * takes longer than finding the rows. Without rows it is an empty list on SQLite, and null on
 * PostgreSQL.
 */
export const listOf = (dialect: Dialect, value: SQL): SQL<string | null> =>
  dialect === "sqlite"
    ? sql<string | null>`json_group_array(${value})`
    : sql<string | null>`json_agg(${value})::text`;

/** The numbers of a list from `listOf`. */
export function parseNumbers(list: string | null | undefined): number[] {
  const numbers: number[] = JSON.parse(list ?? "[]");
  return numbers;
}

/** The JSON object in a text column, without one of its members. */
export const withoutMember = (dialect: Dialect, column: SQLWrapper, key: string): SQL =>
  dialect === "sqlite"
    ? sql`json_remove(${column}, ${`$."${key}"`})`
    : sql`(${column}::jsonb - ${key}::text)::text`;
