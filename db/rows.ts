import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Migration, pending, readMigrations } from "./migrate";
import { databaseFile, type Place } from "./open";
import {
  isSqliteInUse,
  loadSqliteRows,
  openLiveSqliteRows,
  openSqliteRows,
  readVersionWithoutWriting,
} from "./sqlite-rows";
import type { RowSource, RowTarget } from "./stored-rows";

/** Loads the code for PostgreSQL on demand, so that a server on SQLite loads none of it. */
const postgresRows = (): Promise<typeof import("./postgres-rows")> => import("./postgres-rows");

const migrationsOf = ({ databaseUrl, migrationsFolder }: Place): Migration[] =>
  readMigrations(join(migrationsFolder, databaseUrl === undefined ? "sqlite" : "postgres"));

/** Version of the data's schema; 0 where there is no data. Changes nothing. */
export async function readVersion({ databaseUrl, dataFolder }: Place): Promise<number> {
  if (databaseUrl !== undefined) return (await postgresRows()).readPostgresVersion(databaseUrl);
  const path = databaseFile(dataFolder);
  return existsSync(path) ? readVersionWithoutWriting(path) : 0;
}

/** Refuses a version of the schema that this chatd does not know (`NewerSchemaError`). */
export const requireKnownVersion = (place: Place, version: number): void => {
  pending(migrationsOf(place), version);
};

/**
 * All rows as of this moment, without blocking writers. While they are read, `scratchFolder`
 * contains a copy of a SQLite file; without such a folder the file itself is read. Refuses data of
 * a newer chatd.
 */
export async function openRows(
  place: Place,
  scratchFolder: string | undefined,
): Promise<RowSource> {
  if (place.databaseUrl !== undefined) {
    return (await postgresRows()).openPostgresRows(place.databaseUrl, migrationsOf(place));
  }
  if (scratchFolder === undefined)
    return openLiveSqliteRows(databaseFile(place.dataFolder), migrationsOf(place));
  return openSqliteRows(databaseFile(place.dataFolder), scratchFolder, migrationsOf(place));
}

export interface Loading {
  /** The schema's version of the rows. */
  version: number;
  /** UNIX seconds. */
  now: number;
  /** Whether existing data on PostgreSQL is replaced. */
  replaces: boolean;
}

/**
 * Fills new tables. On SQLite they are in a new file in `stageFolder`, which is complete when this
 * resolves; on PostgreSQL they are in the database then. If `fill` fails, nothing has changed.
 */
export async function loadRows<Result>(
  place: Place,
  stageFolder: string,
  { version, now, replaces }: Loading,
  fill: (target: RowTarget) => Promise<Result>,
): Promise<Result> {
  const migrations = migrationsOf(place);
  if (place.databaseUrl !== undefined) {
    const { loadPostgresRows } = await postgresRows();
    return loadPostgresRows(place.databaseUrl, { migrations, version, now, replaces }, fill);
  }
  return loadSqliteRows(databaseFile(stageFolder), migrations.slice(0, version), now, fill);
}

/** Whether a server or a command uses the data. */
export async function isInUse({ databaseUrl, dataFolder }: Place): Promise<boolean> {
  if (databaseUrl !== undefined) return (await postgresRows()).isPostgresInUse(databaseUrl);
  return isSqliteInUse(databaseFile(dataFolder));
}
