import { type SQLQueryBindings, Database as SqliteFile, type Statement } from "bun:sqlite";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { removeLeftBehind } from "./left-behind";
import { type Migration, migrateSqlite, pending, schemaVersionOf } from "./migrate";
import {
  isCopied,
  quoted,
  type RowSource,
  type RowTarget,
  realmClause,
  type StoredTable,
  type StoredValue,
} from "./stored-rows";
import { syncToDisk } from "./sync-to-disk";

const busyMilliseconds = 30_000;
const rowsPerBatch = 500;
const copyPrefix = ".chatd-copy-";
/** Names of the folders that `mkdtemp` makes with that prefix. */
const copyName = /^\.chatd-copy-[A-Za-z0-9]{6}$/;
/**
 * Settings while a new file is filled. It needs no journal. SQLite cannot switch from WAL to no
 * journal in one step, so it first switches to `DELETE`.
 */
const loadingPragmas = [
  "journal_mode = DELETE",
  "journal_mode = OFF",
  "synchronous = OFF",
  "cache_size = -64000",
];

/**
 * Reads a database to which other processes may write, without blocking them. It reads from a copy,
 * because a long read of the file itself would let the file's log grow. The copy is made in a
 * private folder within `scratchFolder`, which is removed as soon as the copy is open. Copies that
 * killed processes have left there are removed, too.
 */
export function openSqliteRows(
  path: string,
  scratchFolder: string,
  migrations: Migration[],
): RowSource {
  const folder = mkdtempSync(join(scratchFolder, copyPrefix));
  try {
    removeLeftBehind(folder, copyName);
    const copy = join(folder, "chatd.db");
    copyFile(path, copy);
    const file = new SqliteFile(copy, { readonly: true });
    const version = schemaVersionOf(file);
    pending(migrations, version);
    return sourceOf(file, version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a file, including the changes that are still in its log. */
function copyFile(path: string, copy: string) {
  const live = new SqliteFile(path, { readonly: true });
  try {
    live.run(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    live.query("VACUUM INTO ?").run(copy);
  } finally {
    live.close();
  }
}

function sourceOf(file: SqliteFile, version: number): RowSource {
  return {
    version,
    tables: tablesOf(file).map((name) => ({ name, columns: columnsOf(file, name) })),
    lastIds: lastIdsOf(file),
    read: (table, realmId) => readTable(file, table, realmId),
    close: async () => file.close(),
  };
}

/**
 * Reads a file without a copy, if there is no memory or disk for one. Until it is closed, the
 * file's log grows with the writes of other processes.
 */
export function openLiveSqliteRows(path: string, migrations: Migration[]): RowSource {
  const file = new SqliteFile(path, { readonly: true });
  try {
    file.run(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    file.run("BEGIN");
    const version = schemaVersionOf(file);
    pending(migrations, version);
    return sourceOf(file, version);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Version of the schema of an existing file, which is not changed. */
export function readVersionWithoutWriting(path: string): number {
  const file = new SqliteFile(path, { readonly: true });
  try {
    file.run(`PRAGMA busy_timeout = ${busyMilliseconds}`);
    return schemaVersionOf(file);
  } finally {
    file.close();
  }
}

function tablesOf(file: SqliteFile): string[] {
  const rows = file
    .query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .values();
  return rows.map(([name]) => String(name)).filter(isCopied);
}

const columnsOf = (file: SqliteFile, table: string): string[] =>
  file
    .query("SELECT name FROM pragma_table_info(?)")
    .values(table)
    .map(([name]) => String(name));

function lastIdsOf(file: SqliteFile): Record<string, number> {
  const rows = file.query("SELECT name, seq FROM sqlite_sequence").values();
  return Object.fromEntries(
    rows.map(([name, seq]) => [String(name), Number(seq)]).filter(([name]) => isCopied(`${name}`)),
  );
}

async function* readTable(
  file: SqliteFile,
  table: StoredTable,
  realmId: number | undefined,
): AsyncIterable<StoredValue[][]> {
  const { name, columns } = table;
  const clause = realmId === undefined ? "" : realmClause(table, realmId);
  const statement = file.prepare(
    `SELECT ${columns.map(quoted).join(", ")} FROM ${quoted(name)}${clause}`,
  );
  let batch: StoredValue[][] = [];
  for (const row of statement.iterate()) {
    const values = row as Record<string, StoredValue>;
    batch.push(columns.map((column) => values[column] ?? null));
    if (batch.length < rowsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Makes and fills a new database at a path, with the version of the schema after the last of the
 * migrations. It is on the disk when this resolves. Before that, a crash may leave an incomplete
 * file.
 */
export async function loadSqliteRows<Result>(
  path: string,
  migrations: Migration[],
  now: number,
  fill: (target: RowTarget) => Promise<Result>,
): Promise<Result> {
  // The file is made here, because SQLite would make a file that other accounts may read.
  closeSync(openSync(path, "wx", 0o600));
  migrateSqlite(path, migrations, now);
  const file = new SqliteFile(path, { readwrite: true });
  try {
    for (const pragma of loadingPragmas) file.run(`PRAGMA ${pragma}`);
    file.run("BEGIN IMMEDIATE");
    for (const table of tablesOf(file)) file.run(`DELETE FROM ${quoted(table)}`);
    const target = targetOf(file);
    const result = await fill(target);
    file.run("COMMIT");
    target.finalize();
    return result;
  } finally {
    file.close();
    syncToDisk(path);
  }
}

/**
 * Sets the last id of each table with ids of its own, from its current last id, in a file that no
 * process uses. Afterwards the file counts as properly closed, and is on the disk when this
 * resolves.
 */
export async function renumberSqlite(
  path: string,
  after: (lastIds: Readonly<Record<string, number>>) => (table: string) => number,
): Promise<void> {
  const file = new SqliteFile(path, { readwrite: true });
  try {
    file.run("PRAGMA journal_mode = DELETE");
    file.run("PRAGMA user_version = 0");
    await targetOf(file).finish(after(lastIdsOf(file)));
  } finally {
    file.close();
    syncToDisk(path);
  }
}

function targetOf(file: SqliteFile): RowTarget & { finalize(): void } {
  const statements = new Map<string, Statement>();
  const tables = new Set(tablesOf(file));
  const numbered = file
    .query("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
    .values()
    .map(([name]) => String(name));
  const statementFor = (table: string, columns: readonly string[]) => {
    const places = columns.map(() => "?").join(", ");
    const sql = `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(", ")}) VALUES (${places})`;
    const statement = statements.get(sql) ?? file.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    finalize() {
      for (const statement of statements.values()) statement.finalize();
    },
    async insert(table, columns, rows) {
      if (!tables.has(table)) throw new Error(`There is no table ${table}.`);
      const statement = statementFor(table, columns);
      for (const row of rows) statement.run(...row.map(bindable));
    },
    async finish(lastIdOf) {
      for (const table of numbered) {
        file.query("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
        file
          .query("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)")
          .run(table, lastIdOf(table));
      }
    },
  };
}

const bindable = (value: StoredValue): SQLQueryBindings =>
  typeof value === "boolean" ? Number(value) : value;

/**
 * Whether another process has a database open. Each process that has it open holds a shared lock,
 * so SQLite refuses an exclusive lock.
 */
export function isSqliteInUse(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = new SqliteFile(path, { readwrite: true });
  try {
    file.run("PRAGMA locking_mode = EXCLUSIVE");
    file.run("BEGIN EXCLUSIVE");
    file.run("COMMIT");
    return false;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY")) return true;
    // A file that is no longer a database is not in use.
    return false;
  } finally {
    file.close();
  }
}
