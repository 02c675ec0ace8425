import { allTables } from "./schema/tables";

/** A value of a row. Only booleans differ between the engines: SQLite has 1 and 0 for them. */
export type StoredValue = string | number | boolean | null | Uint8Array;

export interface StoredTable {
  name: string;
  columns: readonly string[];
}

/** All rows as of one moment, while other processes continue to write. */
export interface RowSource {
  /** The schema's version. */
  readonly version: number;
  readonly tables: readonly StoredTable[];
  /** The last id that each table has given out, for tables with ids of their own. */
  readonly lastIds: Readonly<Record<string, number>>;
  /** All rows of a table, or those of one realm, in the order of their ids if it has any. */
  read(table: StoredTable, realmId?: number): AsyncIterable<StoredValue[][]>;
  close(): Promise<void>;
}

/** New tables to be filled. They become visible when all of them are complete. */
export interface RowTarget {
  insert(table: string, columns: readonly string[], rows: readonly StoredValue[][]): Promise<void>;
  /**
   * Sets the last id of each table with ids of its own. It is called when all rows are inserted.
   */
  finish(lastIdOf: (table: string) => number): Promise<void>;
}

let leftOut: ReadonlySet<string> | undefined;

/**
 * The tables whose rows are never copied, by their traits. The steps of the schema are recorded
 * again when a copy is restored.
 */
function leftOutTables(): ReadonlySet<string> {
  leftOut ??= new Set([
    "chatd_schema",
    ...allTables().flatMap(({ name, traits }) => (traits.notInBackup === undefined ? [] : name)),
  ]);
  return leftOut;
}

/**
 * Whether rows of a table are copied. Tables that SQLite creates by itself, and the tables of its
 * search index, are not copied.
 */
export const isCopied = (table: string): boolean =>
  !leftOutTables().has(table) && !/^(sqlite_|message_words_)/.test(table);

/**
 * The names of tables or functions that the steps of the schema have created. Everything else in
 * the database belongs to another program.
 */
export function namesMade(
  what: "TABLE" | "FUNCTION",
  migrations: readonly { statements: string[] }[],
): Set<string> {
  const creation = new RegExp(
    `CREATE (?:VIRTUAL )?${what} (?:IF NOT EXISTS )?[\`"]?([a-z][a-z0-9_]*)`,
    "g",
  );
  const texts = migrations.flatMap(({ statements }) => statements);
  return new Set(
    texts.flatMap((text) => [...text.matchAll(creation)].map(([, name = ""]) => name)),
  );
}

/** Error that another process uses data that is to be replaced. */
export class DataInUseError extends Error {
  constructor() {
    super("A server or another command is at work on this data. Stop it first.");
    this.name = "DataInUseError";
  }
}

/** SQL clause that selects the rows of a realm from a table, in their order. */
export function realmClause({ name, columns }: StoredTable, realmId: number): string {
  const order = columns.includes("id") ? " ORDER BY id" : "";
  return ` WHERE ${name === "realms" ? "id" : "realm_id"} = ${Math.trunc(realmId)}${order}`;
}

/** A quoted name of a table or column for SQL. */
export function quoted(name: string): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new Error(`"${name}" is no name of a table or column.`);
  return `"${name}"`;
}
