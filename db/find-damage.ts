import { Database as SqliteFile } from "bun:sqlite";
import { existsSync } from "node:fs";
import { databaseFile, type Place } from "./open";
import { lacksLog, missingLog } from "./settle-log";
import { isFull } from "./sqlite-error";
import { quoted } from "./stored-rows";

const busyMilliseconds = 30_000;
const findingsPerTable = 20;

export interface DamageReport {
  findings: string[];
  /** The reason why the indexes of PostgreSQL were not checked, with what to do. */
  notLookedAt?: string;
}

/** Finds damage of the database itself, table by table, while servers keep running. */
export async function findDamage(
  place: Place,
  noteTable: (table: string) => void,
): Promise<DamageReport> {
  if (place.databaseUrl !== undefined) {
    return (await import("./find-damage-postgres")).findPostgresDamage(
      place.databaseUrl,
      noteTable,
    );
  }
  const path = databaseFile(place.dataFolder);
  return { findings: existsSync(path) ? findSqliteDamage(path, noteTable) : [] };
}

/**
 * Text about a missing write-ahead log; undefined if none is missing. Must be called before the
 * file is opened, because opening creates a log.
 */
export function findMissingLog(place: Place): string | undefined {
  const path = databaseFile(place.dataFolder);
  const isMissing = place.databaseUrl === undefined && existsSync(path) && lacksLog(path);
  return isMissing ? missingLog(path) : undefined;
}

/**
 * Finds damage of a SQLite file. Each table is read separately, because the log of the file would
 * grow during a long read. Throws when the disk has no room to open the file.
 */
function findSqliteDamage(path: string, noteTable: (table: string) => void): string[] {
  const findings: string[] = [];
  const file = new SqliteFile(path, { readonly: true });
  const attempt = (what: string, run: () => void) => {
    try {
      run();
    } catch (error) {
      if (isFull(error)) throw error;
      findings.push(`${what}: ${error instanceof Error ? error.message : error}`);
    }
  };
  try {
    attempt(path, () => {
      file.run(`PRAGMA busy_timeout = ${busyMilliseconds}`);
      const names = file
        .query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .values();
      for (const [name] of names) {
        noteTable(String(name));
        attempt(String(name), () => {
          const lines = file
            .query(`PRAGMA integrity_check(${quoted(String(name))})`)
            .values()
            .flat();
          for (const line of lines.slice(0, findingsPerTable))
            if (line !== "ok") findings.push(`${name}: ${line}`);
        });
      }
    });
  } finally {
    file.close();
  }
  return findings;
}
