import { Database as SqliteFile } from "bun:sqlite";
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathOfCopy } from "./copies";
import { syncFolder, syncToDisk } from "./sync-to-disk";

/** One step of the schema: `0007_name.sql` is version 8. */
export interface Migration {
  version: number;
  name: string;
  statements: string[];
}

/**
 * The schema after all steps up to a version, as a file for new SQLite databases. Copying it takes
 * a tenth of the time of the steps.
 */
export interface WholeSchema {
  version: number;
  /** A database file without a row, compressed with Zstandard. */
  file: Uint8Array<ArrayBuffer>;
}

/**
 * Report of a migration: the version of the schema before it (0 for a new database) and after it,
 * and the path of the copy of the old data.
 */
export interface Migrated {
  from: number;
  to: number;
  copy?: string;
}

export class NewerSchemaError extends Error {
  constructor(found: number, newestKnown: number) {
    super(
      `The database has schema version ${found}, but this chatd knows only versions up to ${newestKnown}. ` +
        "Start a chatd at least as new as the one that last used this data, or restore the copy made before its migration.",
    );
    this.name = "NewerSchemaError";
  }
}

/** Error of a server that was cut off from its data while a restore has replaced the data. */
export class ReplacedDataError extends Error {
  constructor() {
    super(
      "A restore has replaced the data while this server was cut off from the database, and the server remembers the data of before. Start it again.",
    );
    this.name = "ReplacedDataError";
  }
}

/** Error that the database lacks writes which this server has seen in it. */
export class LostEntriesError extends Error {
  constructor() {
    super(
      "PostgreSQL lacks writes that this server has seen there, as after a failover to a standby that was behind. The server remembers the lost ones. Start it again.",
    );
    this.name = "LostEntriesError";
  }
}

/**
 * Migrations that a caller may run: all of them, those that make the tables of new data, or none.
 * Only a server that starts may run all, because another version may be using the data.
 */
export type MigrationRight = "all" | "of-new-data" | "none";

/** Facts about the server by name, from the rows of `server_facts`. */
type StoredFacts = ReadonlyMap<string, string>;

export const factsOf = (rows: readonly Record<string, unknown>[]): StoredFacts =>
  new Map(rows.map(({ name, value }) => [`${name}`, `${value}`]));

/** Conditions for opening data that may have an older schema. */
export interface MigrationTerms {
  /** Migrations that may be run; all if it is undefined. */
  right?: MigrationRight;
  /** Throws for data that belongs to another server, before any of it is copied or migrated. */
  requireOwn?: (facts: StoredFacts) => void;
}

/** Error that the data has an older schema, and the caller may not migrate it. */
export class OlderSchemaError extends Error {
  constructor(found: number, newest: number) {
    super(
      `The data has schema version ${found}, and this chatd needs version ${newest}. Commands do not migrate data: ` +
        "stop the server if one is running, start this version once with `chatd serve`, which migrates it, then try again. " +
        "Or run this command with the chatd that last used the data.",
    );
    this.name = "OlderSchemaError";
  }
}

/** Error that the data has to be migrated while other processes use it. */
export class DataInUseError extends Error {
  constructor() {
    super(
      "The data has to be migrated to this version, and another server or command is at work on it. " +
        "Stop it first: it could not use the data any more. Then start this version again.",
    );
    this.name = "DataInUseError";
  }
}

/** Error that the database has no tables yet, and the caller may not make them. */
export class NoDataError extends Error {
  constructor() {
    super("There is no data in this database yet. Start with: chatd serve");
    this.name = "NoDataError";
  }
}

/** Refuses data without a schema, or with an older one, if the caller may not migrate it. */
export function requireRight(right: MigrationRight, from: number, migrations: Migration[]) {
  const newest = migrations.at(-1)?.version ?? 0;
  if (pending(migrations, from).length === 0 || right === "all") return;
  if (from > 0) throw new OlderSchemaError(from, newest);
  if (right === "none") throw new NoDataError();
}

export const createVersionTable =
  "CREATE TABLE IF NOT EXISTS chatd_schema (version bigint PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)";
export const factsQuery = "SELECT name, value FROM server_facts";
export const insertVersion = "INSERT INTO chatd_schema (version, name, applied_at) VALUES";

const wholeName = /^whole-(\d+)\.db\.zst$/;
const compressionLevel = 19;
const stepName = /^\d{4}_.*\.sql$/;
const breakpoint = "--> statement-breakpoint";

const stepsIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => stepName.test(name));

/** Version of the schema after all steps. Both engines have equally many steps. */
export const newestVersion = (migrationsFolder: string): number =>
  stepsIn(join(migrationsFolder, "sqlite")).length;

/** Reads the steps from a folder of numbered `.sql` files. */
export function readMigrations(folder: string): Migration[] {
  return stepsIn(folder)
    .sort()
    .map((name) => {
      const statements = readFileSync(join(folder, name), "utf8").split(breakpoint);
      return { version: Number(name.slice(0, 4)) + 1, name: basename(name, ".sql"), statements };
    });
}

/**
 * Reads the schema that `writeWholeSchema` has written into the folder of the steps; undefined
 * where none exists.
 */
export function readWholeSchema(folder: string): WholeSchema | undefined {
  const name = readdirSync(folder).find((one) => wholeName.test(one));
  return name === undefined
    ? undefined
    : { version: Number(wholeName.exec(name)?.[1]), file: readFileSync(join(folder, name)) };
}

/**
 * Runs the steps on a database in memory and writes that database beside them. The file's name
 * contains the version.
 */
export function writeWholeSchema(folder: string): void {
  const migrations = readMigrations(folder);
  const file = new SqliteFile(":memory:");
  for (const sql of migrations.flatMap(({ statements }) => statements)) file.run(sql);
  const creations = file.query(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL
    AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid`);
  const statements = creations.values().map(([sql]) => `${sql}`);
  file.close();
  for (const name of readdirSync(folder).filter((one) => wholeName.test(one)))
    rmSync(join(folder, name));
  writeFileSync(
    join(folder, `whole-${migrations.at(-1)?.version ?? 0}.db.zst`),
    packedFile(statements),
  );
}

function packedFile(statements: readonly string[]): Uint8Array {
  const file = new SqliteFile(":memory:");
  for (const sql of [createVersionTable, ...statements]) file.run(sql);
  const packed = Bun.zstdCompressSync(file.serialize(), { level: compressionLevel });
  file.close();
  return packed;
}

export function pending(migrations: Migration[], from: number): Migration[] {
  const newest = migrations.at(-1)?.version ?? 0;
  if (from > newest) throw new NewerSchemaError(from, newest);
  return migrations.filter(({ version }) => version > from);
}

/**
 * Migrates a SQLite file to the newest schema in one transaction, after copying an existing file.
 * If two processes do so at once, the second waits and then finds nothing to do. `now` is UNIX
 * seconds.
 */
export function migrateSqlite(path: string, migrations: Migration[], now: number): Migrated {
  return openMigrated(path, migrations, now, (migrated) => migrated);
}

/**
 * Migrates a file and opens it. It is opened before the connection of the migration is closed,
 * because the last connection that closes would write the log back into the file.
 */
export function openMigrated<T>(
  path: string,
  migrations: Migration[],
  now: number,
  open: (migrated: Migrated) => T,
  { right = "all", requireOwn }: MigrationTerms = {},
): T {
  const file = new SqliteFile(path, { create: true, readwrite: true });
  try {
    file.run("PRAGMA busy_timeout = 30000");
    file.run("PRAGMA journal_mode = WAL");
    const before = schemaVersionOf(file);
    const isOld = before > 0 && pending(migrations, before).length > 0;
    if (isOld) requireOwn?.(factsOf(file.query<Record<string, unknown>, []>(factsQuery).all()));
    requireRight(right, before, migrations);
    const copy = isOld ? copyAside(file, path, before, now) : undefined;
    const from = carryOutOrUndo(file, migrations, now, copy);
    return open({ from, to: migrations.at(-1)?.version ?? from, copy });
  } finally {
    file.close();
  }
}

/**
 * Runs the pending steps. If they fail, the copy is removed, because a service that is started
 * again and again would fill the disk with copies of data that has not changed.
 */
function carryOutOrUndo(
  file: SqliteFile,
  migrations: Migration[],
  now: number,
  copy: string | undefined,
): number {
  const before = schemaVersionOf(file);
  try {
    return carryOut(file, migrations, now);
  } catch (error) {
    if (copy !== undefined && hasStill(file, before)) rmSync(copy, { force: true });
    throw error;
  }
}

function hasStill(file: SqliteFile, version: number): boolean {
  try {
    return schemaVersionOf(file) === version;
  } catch {
    return false;
  }
}

/** Runs the pending steps; answers the version before them. */
function carryOut(file: SqliteFile, migrations: Migration[], now: number): number {
  file.run("BEGIN IMMEDIATE");
  try {
    file.run(createVersionTable);
    const from = schemaVersionOf(file);
    for (const migration of pending(migrations, from)) {
      for (const sql of migration.statements) file.run(sql);
      file.run(`${insertVersion} (?, ?, ?)`, [migration.version, migration.name, now]);
    }
    file.run("COMMIT");
    return from;
  } catch (error) {
    // A full disk has already ended the transaction.
    if (file.inTransaction) file.run("ROLLBACK");
    throw error;
  }
}

/**
 * Version of the schema of an existing file; 0 where it has none. Opens the file for writing, so
 * that a log that a crash has left is written back.
 */
export function readSqliteVersion(path: string): number {
  const file = new SqliteFile(path, { readwrite: true });
  try {
    file.run("PRAGMA busy_timeout = 5000");
    return schemaVersionOf(file);
  } finally {
    file.close();
  }
}

/** Version of the schema of an open file; 0 where it has none. */
export function schemaVersionOf(file: SqliteFile): number {
  const table = file.query("SELECT 1 FROM sqlite_master WHERE name = 'chatd_schema'").get();
  if (!table) return 0;
  const row = file.query("SELECT max(version) AS version FROM chatd_schema").get() as {
    version: number | null;
  };
  return row.version ?? 0;
}

/**
 * Copies a file. The copy gets its name only when it is complete. Each migration makes a new copy.
 */
function copyAside(file: SqliteFile, path: string, version: number, now: number): string {
  const copy = pathOfCopy(`${path}.`, version, now);
  const draft = `${copy}.${process.pid}`;
  rmSync(draft, { force: true });
  try {
    file.query("VACUUM INTO ?").run(draft);
    syncToDisk(draft);
    renameSync(draft, copy);
  } catch (error) {
    // The unfinished copy is removed, because it may have filled the disk.
    for (const part of [draft, `${draft}-journal`]) rmSync(part, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
  return copy;
}

/**
 * Copies a file as a migration does, while other processes may write to it. Answers the path of the
 * copy.
 */
export function copySqlite(path: string, now: number): string {
  const file = new SqliteFile(path, { readwrite: true });
  try {
    file.run("PRAGMA busy_timeout = 30000");
    return copyAside(file, path, schemaVersionOf(file), now);
  } finally {
    file.close();
  }
}
