import { existsSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Engine, EngineHooks } from "./engine";
import {
  DataInUseError,
  type Migrated,
  type Migration,
  type MigrationTerms,
  openMigrated,
  pending,
  readMigrations,
  readSqliteVersion,
  readWholeSchema,
} from "./migrate";
import { makeSqliteFile, refuseEmptyFile } from "./new-sqlite-file";
import { settleLog } from "./settle-log";
import { openSqlite } from "./sqlite";
import { errorCode } from "./sqlite-error";

export interface Place {
  /** `postgres://…`, or undefined for SQLite in `dataFolder`. */
  databaseUrl: string | undefined;
  dataFolder: string;
  /** Highest number of connections to PostgreSQL; undefined for the default. */
  connectionsMax?: number;
  /** The folder that holds `sqlite/` and `postgres/`. */
  migrationsFolder: string;
}

/** Whether the database is a file in the data folder. Otherwise it is a separate server. */
export const isInDataFolder = ({ databaseUrl }: Place): boolean => databaseUrl === undefined;

/**
 * Path of the SQLite file of a data folder. A symbolic link is resolved, because SQLite keeps the
 * log beside the file that the link leads to.
 */
export function databaseFile(dataFolder: string): string {
  const path = join(dataFolder, "chatd.db");
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && existsSync(path)
    ? realpathSync(path)
    : path;
}

/** Options for opening data. */
export interface Opening extends MigrationTerms {
  /** Facts that a new SQLite file gets together with the schema, as rows of `server_facts`. */
  facts?: Readonly<Record<string, string>>;
  /**
   * Copies the rows of PostgreSQL before they are migrated. A SQLite file is copied in any case.
   */
  copy?: () => Promise<string>;
}

/**
 * Migrates the data to the newest schema and opens it. Refuses data that has to be migrated if the
 * caller may not migrate it, or if other processes use it. `now` is UNIX seconds.
 */
export async function openEngine(
  place: Place,
  hooks: EngineHooks,
  now: number,
  { facts = {}, copy, ...terms }: Opening = {},
): Promise<{ engine: Engine; migrated: Migrated }> {
  if (place.databaseUrl === undefined) return openSqliteFile(place, hooks, now, facts, terms);
  // This module is only loaded for PostgreSQL, because loading it takes a tenth of a start.
  const { migratePostgres } = await import("./migrate-postgres");
  const { openPostgres } = await import("./postgres");
  const { whyUnreached } = await import("./postgres-client");
  const migrations = readMigrations(join(place.migrationsFolder, "postgres"));
  try {
    const migrated = await migratePostgres(place.databaseUrl, migrations, now, { ...terms, copy });
    const database = { url: place.databaseUrl, version: migrated.to };
    return { engine: await openPostgres(database, hooks, place.connectionsMax), migrated };
  } catch (error) {
    const why = whyUnreached(error);
    throw why === undefined
      ? error
      : new Error(`The database cannot be reached: ${why}`, { cause: error });
  }
}

async function openSqliteFile(
  { dataFolder, migrationsFolder }: Place,
  hooks: EngineHooks,
  now: number,
  facts: Readonly<Record<string, string>>,
  terms: MigrationTerms,
) {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const path = databaseFile(dataFolder);
  const folder = join(migrationsFolder, "sqlite");
  const migrations = readMigrations(folder);
  let isAlone = true;
  const open = (migrated: Migrated) => ({ engine: openSqlite(path, hooks, isAlone), migrated });
  if (!existsSync(path)) {
    const whole = readWholeSchema(folder);
    const isOfNow = whole !== undefined && whole.version === migrations.at(-1)?.version;
    if (isOfNow && makeSqliteFile(path, { migrations, whole, facts, now }))
      return open({ from: 0, to: whole.version });
  } else refuseEmptyFile(path);
  try {
    isAlone = !existsSync(path) || (await settleLog(path, hooks));
    if (!isAlone && (terms.right ?? "all") === "all")
      isAlone = await waitForOthers(path, migrations, hooks);
    return openMigrated(path, migrations, now, open, terms);
  } catch (error) {
    if (errorCode(error) === "" || !(error instanceof Error)) throw error;
    throw new Error(`${path} cannot be opened: ${error.message}`, { cause: error });
  }
}

const othersMilliseconds = 1_000;
const othersStepMilliseconds = 50;

/**
 * Waits until no other process has a file open that has to be migrated. A command ends soon, and
 * another server of this version may be migrating the file. Refuses where that takes too long.
 * Answers whether this process is then the only one.
 */
async function waitForOthers(path: string, migrations: Migration[], hooks: EngineHooks) {
  const isOld = () => pending(migrations, readSqliteVersion(path)).length > 0;
  for (let waited = 0; isOld(); waited += othersStepMilliseconds) {
    if (await settleLog(path, hooks)) return true;
    if (waited >= othersMilliseconds) throw new DataInUseError();
    await new Promise((resolve) => setTimeout(resolve, othersStepMilliseconds));
  }
  return false;
}
