import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Engine, EngineHooks } from "./engine";
import { type Migrated, openMigrated, readMigrations, readWholeSchema } from "./migrate";
import { openSqlite } from "./sqlite";

export interface Place {
  /** `postgres://…`, or undefined for SQLite in `dataFolder`. */
  databaseUrl: string | undefined;
  dataFolder: string;
  /** The folder that holds `sqlite/` and `postgres/`. */
  migrationsFolder: string;
}

/** Where the SQLite file is within a data folder. */
export const databaseFile = (dataFolder: string) => join(dataFolder, "chatd.db");

/** Brings the data to the newest schema and opens it. `now` is UNIX seconds. */
export async function openEngine(
  place: Place,
  hooks: EngineHooks,
  now: number,
): Promise<{ engine: Engine; migrated: Migrated }> {
  if (place.databaseUrl !== undefined) {
    // Loaded only where there is PostgreSQL: it is a tenth of the time of a start.
    const { migratePostgres } = await import("./migrate-postgres");
    const { openPostgres } = await import("./postgres");
    const migrated = await migratePostgres(
      place.databaseUrl,
      readMigrations(join(place.migrationsFolder, "postgres")),
      now,
    );
    return { engine: await openPostgres(place.databaseUrl, hooks), migrated };
  }
  mkdirSync(place.dataFolder, { recursive: true, mode: 0o700 });
  const path = databaseFile(place.dataFolder);
  const folder = join(place.migrationsFolder, "sqlite");
  const open = (migrated: Migrated) => ({ engine: openSqlite(path, hooks), migrated });
  return openMigrated(path, readMigrations(folder), now, open, readWholeSchema(folder));
}
