import type { BuildColumns } from "drizzle-orm";
import * as sqlite from "drizzle-orm/sqlite-core";
import { describe, type Traits } from "./traits";

/** The two engines that chatd stores its data in. */
export type Dialect = "sqlite" | "postgres";

/** A table: its name, its traits, its columns, and its keys and indexes. */
function sqliteTable<
  const Name extends string,
  Made extends Record<string, sqlite.SQLiteColumnBuilderBase>,
  const Told extends Traits<Extract<keyof Made, string>>,
>(
  name: Name,
  traits: Told,
  columns: Made,
  keys?: (self: BuildColumns<Name, Made, "sqlite">) => sqlite.SQLiteTableExtraConfigValue[],
) {
  return describe(sqlite.sqliteTable(name, columns, keys), traits);
}

const sqliteColumns = {
  table: sqliteTable,
  identity: () => sqlite.integer("id").primaryKey({ autoIncrement: true }),
  /** The primary key of a table whose rows belong to a realm and have ids by `identity`. */
  identityKey: (
    _realmId: sqlite.SQLiteColumn,
    _id: sqlite.SQLiteColumn,
  ): sqlite.PrimaryKeyBuilder[] => [],
  /**
   * Finds a realm's rows in the order of their ids. It is an index where the primary key cannot do
   * so.
   */
  realmOrder: (
    name: string,
    realmId: sqlite.SQLiteColumn,
    id: sqlite.SQLiteColumn,
  ): sqlite.IndexBuilder[] => [sqlite.index(name).on(realmId, id)],
  integer: (name: string) => sqlite.integer(name),
  text: (name: string) => sqlite.text(name),
  boolean: (name: string) => sqlite.integer(name, { mode: "boolean" }),
  bytes: (name: string) => sqlite.blob(name, { mode: "buffer" }),
  index: sqlite.index,
  uniqueIndex: sqlite.uniqueIndex,
  primaryKey: (...columns: [sqlite.SQLiteColumn, ...sqlite.SQLiteColumn[]]) =>
    sqlite.primaryKey({ columns }),
};

/** Functions that define tables. A table that is defined with them fits both engines. */
export type Columns = typeof sqliteColumns;

/**
 * The functions for one engine. The PostgreSQL functions have the types of the SQLite functions,
 * because queries are equal for both: code that uses only awaited builders and `.returning()` runs
 * unchanged on either engine. A server on SQLite loads nothing of PostgreSQL.
 */
export function columnsOf(dialect: Dialect): Columns {
  if (dialect === "sqlite") return sqliteColumns;
  const { postgresColumns }: typeof import("./postgres-columns") = require("./postgres-columns");
  return postgresColumns as unknown as Columns;
}
