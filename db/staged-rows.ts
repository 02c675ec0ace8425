import { Database as SqliteFile } from "bun:sqlite";
import { join } from "node:path";
import { migrateSqlite, readMigrations } from "./migrate";
import { databaseFile } from "./open";
import { loadSqliteRows } from "./sqlite-rows";
import { quoted, type RowTarget, type StoredTable, type StoredValue } from "./stored-rows";

/** Rows of another organization in a private SQLite file, with the newest schema. */
export interface StagedRows {
  readonly tables: readonly StoredTable[];
  /**
   * Rows of a table after a given place, in the order of their insertion, and the place of the last
   * one.
   */
  page(table: StoredTable, after: number, count: number): { rows: StoredValue[][]; last: number };
  /** Number of rows in a table. */
  count(table: string): number;
  /** The smallest and the largest integer in a column; undefined where it has none. */
  bounds(table: string, column: string): { min: number; max: number } | undefined;
  close(): void;
}

/**
 * Puts rows of an older version of the schema into a new file in `folder` and migrates it.
 * `migrationsFolder` contains `sqlite/`; `now` is UNIX seconds.
 */
export async function stageRows(
  folder: string,
  migrationsFolder: string,
  { version, now }: { version: number; now: number },
  fill: (target: RowTarget) => Promise<void>,
): Promise<void> {
  const migrations = readMigrations(join(migrationsFolder, "sqlite"));
  const path = databaseFile(folder);
  await loadSqliteRows(path, migrations.slice(0, version), now, fill);
  migrateSqlite(path, migrations, now);
}

/** Opens the staged file of a folder. */
export function openStaged(folder: string): StagedRows {
  const file = new SqliteFile(databaseFile(folder), { readwrite: true });
  const names = file
    .query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
    )
    .values()
    .map(([name]) => String(name));
  const columnsOf = (table: string) =>
    file
      .query("SELECT name FROM pragma_table_info(?)")
      .values(table)
      .map(([name]) => String(name));
  const tables = names.map((name) => ({ name, columns: columnsOf(name) }));
  return {
    tables,
    page({ name, columns }, after, count) {
      const selected = ["rowid", ...columns.map(quoted)].join(", ");
      const found = file.query(
        `SELECT ${selected} FROM ${quoted(name)} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
      );
      const rows = found.values(after, count) as StoredValue[][];
      return { rows: rows.map(([, ...values]) => values), last: Number(rows.at(-1)?.[0] ?? after) };
    },
    count: (table) =>
      Number(file.query(`SELECT count(*) FROM ${quoted(table)}`).values()[0]?.[0] ?? 0),
    bounds(table, column) {
      const name = quoted(column);
      const isId = `typeof(${name}) = 'integer'`;
      const [row] = file
        .query(`SELECT min(${name}), max(${name}) FROM ${quoted(table)} WHERE ${isId}`)
        .values();
      const [min = null, max = null] = row ?? [];
      return min === null ? undefined : { min: Number(min), max: Number(max) };
    },
    close: () => file.close(),
  };
}
