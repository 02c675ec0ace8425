import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A copy of the data from before a migration. */
export interface Copy {
  path: string;
  /** Version of the schema that the rows in it have. */
  schema: number;
  /** UNIX seconds. */
  madeAt: number;
}

/**
 * `chatd.db.before-schema-9-1764230400` on SQLite, `before-schema-9-1764230400.tar` for PostgreSQL.
 */
const copyName = /^(?:.+\.)?before-schema-(\d+)-(\d+)(?:\.tar)?$/;
/**
 * A copy that was not finished. Its name ends with the number of its process, or with a random
 * part.
 */
const draftName = /^(?:.+\.)?before-schema-\d+-\d+(?:\.tar)?\.(?:\d+|\w+\.part)$/;
const draftSecondsMax = 86_400;

/**
 * Name of a copy of data with a version of the schema. It contains the version of the first step
 * that comes after the copy.
 */
export const nameOfCopy = (schema: number, now: number): string =>
  `before-schema-${schema + 1}-${now}`;

/**
 * Path of a copy that does not exist yet, from a beginning and an ending. If another copy has the
 * name of this second, a later second is used, because an upgrade and the migration after it may
 * make copies in one second.
 */
export function pathOfCopy(beginning: string, schema: number, now: number, ending = ""): string {
  const path = `${beginning}${nameOfCopy(schema, now)}${ending}`;
  return existsSync(path) ? pathOfCopy(beginning, schema, now + 1, ending) : path;
}

/** Copies in a data folder and beside the database file, the newest first. */
export const listCopies = (dataFolder: string, databaseFile: string): Copy[] =>
  [...namesBeside(dataFolder, databaseFile)]
    .flatMap((path) => copyAt(path) ?? [])
    .sort((one, other) => other.madeAt - one.madeAt || other.schema - one.schema);

function copyAt(path: string): Copy | undefined {
  const [, step, madeAt] = copyName.exec(basename(path)) ?? [];
  return step === undefined
    ? undefined
    : { path, schema: Number(step) - 1, madeAt: Number(madeAt) };
}

/**
 * Paths in the folders that may contain copies. The database file may be a link to a file
 * elsewhere, and then the copies are beside that file.
 */
function namesBeside(dataFolder: string, databaseFile: string): Set<string> {
  const folders = new Set([dataFolder, dirname(databaseFile)].filter((one) => existsSync(one)));
  return new Set([...folders].flatMap((one) => readdirSync(one).map((name) => join(one, name))));
}

/** Copies that are kept while the data has the version `schema` of the schema. */
export interface Keeping {
  /** Number of newest copies that stay; 0 keeps all. */
  count: number;
  schema: number;
}

/**
 * Copies that need not be kept, of a list that begins with the newest. The newest copy from before
 * the last migration always stays, because without it nobody could return to the version before
 * that migration.
 */
export function needlessCopies(copies: readonly Copy[], { count, schema }: Keeping): Copy[] {
  const wayBack = copies.find((copy) => copy.schema < schema);
  return count === 0 ? [] : copies.slice(count).filter((copy) => copy !== wayBack);
}

/**
 * Removes copies that need not be kept, and copies that were begun a day ago and not finished.
 * Answers the paths of the removed copies. `now` is UNIX seconds.
 */
export function tidyCopies(
  { dataFolder, databaseFile }: { dataFolder: string; databaseFile: string },
  keeping: Keeping,
  now: number,
): string[] {
  const old = needlessCopies(listCopies(dataFolder, databaseFile), keeping);
  const drafts = [...namesBeside(dataFolder, databaseFile)].filter(
    (path) => draftName.test(basename(path)) && isOlder(path, now - draftSecondsMax),
  );
  const removed = [...old.map(({ path }) => path), ...drafts];
  for (const path of removed) rmSync(path, { force: true });
  return removed;
}

const isOlder = (path: string, seconds: number): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) < seconds * 1000;
