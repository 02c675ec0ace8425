import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A copy of the data from before a migration. */
export interface Copy {
  path: string;
  /** The schema's version of the rows in it. */
  schema: number;
  /** UNIX seconds. */
  madeAt: number;
}

/** `chatd.db.before-schema-9-1764230400` on SQLite, `before-schema-9-1764230400.tar` for PostgreSQL. */
const copyName = /^(?:.+\.)?before-schema-(\d+)-(\d+)(?:\.tar)?$/;
/** A copy that was not finished: with the number of its process, or a random part. */
const draftName = /^(?:.+\.)?before-schema-\d+-\d+(?:\.tar)?\.(?:\d+|\w+\.part)$/;
const draftSecondsMax = 86_400;

/** Name of a copy of data of a version of the schema: it says the step that comes after it. */
export const nameOfCopy = (schema: number, now: number): string =>
  `before-schema-${schema + 1}-${now}`;

/**
 * Path of a copy that is not there yet, between a beginning and an ending. Its second is moved on
 * where another copy has it, because an upgrade and the migration after it may share one.
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

/** The database may be a link to a file elsewhere, which has its copies beside it. */
function namesBeside(dataFolder: string, databaseFile: string): Set<string> {
  const folders = new Set([dataFolder, dirname(databaseFile)].filter((one) => existsSync(one)));
  return new Set([...folders].flatMap((one) => readdirSync(one).map((name) => join(one, name))));
}

/** Copies that are to be kept of data of a version of the schema. */
export interface Keeping {
  /** Number of the newest ones that stay (0: all). */
  count: number;
  schema: number;
}

/**
 * Copies that need not be kept, of a list with the newest first. The newest one from before the
 * last migration stays in any case, because without it nobody could return to the version before.
 */
export function needlessCopies(copies: readonly Copy[], { count, schema }: Keeping): Copy[] {
  const wayBack = copies.find((copy) => copy.schema < schema);
  return count === 0 ? [] : copies.slice(count).filter((copy) => copy !== wayBack);
}

/**
 * Removes copies that need not be kept, and those that were begun and not finished a day ago.
 * Answers the paths. `now` is UNIX seconds.
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
