import { Database as SqliteFile } from "bun:sqlite";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { giveName } from "./give-name";
import { insertVersion, type Migration, type WholeSchema } from "./migrate";
import { syncFolder, syncToDisk } from "./sync-to-disk";

/** Contents of a new file. */
export interface NewFile {
  migrations: Migration[];
  /** The schema after all migrations. */
  whole: WholeSchema;
  /** Rows of `server_facts`, by name. */
  facts: Readonly<Record<string, string>>;
  /** UNIX seconds. */
  now: number;
}

/**
 * Makes a new database file. It gets its name only when it is complete and on the disk, so its
 * content need not be synced before. When several processes do so at once, one of them makes the
 * file. Answers whether this process made it. Throws when the file cannot be written, and when
 * another database has left its log under that name.
 */
export function makeSqliteFile(path: string, content: NewFile): boolean {
  refuseForeignLog(path);
  // The name is random, because processes in two containers may have equal ids.
  const draft = `${path}.new-${crypto.randomUUID()}`;
  try {
    fill(draft, content);
    syncToDisk(draft);
    giveName(draft, path);
  } catch (error) {
    if (existsSync(path)) return false;
    throw new Error(
      `The database ${path} cannot be made: ${error instanceof Error ? error.message : error}`,
    );
  } finally {
    removeDrafts(path, draft);
  }
  syncFolder(dirname(path));
  return true;
}

/**
 * Refuses the log of another database under that name, because SQLite would apply it to the new
 * database as its newest changes.
 */
function refuseForeignLog(path: string) {
  for (const log of [`${path}-wal`, `${path}-journal`]) {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) === 0 || existsSync(path)) continue;
    throw new Error(
      `${path} is missing, and ${log} is what is left of it: put ${path} back beside it, or move ${log} away to begin anew.`,
    );
  }
}

/**
 * Refuses a database file without content, because SQLite would make a new database of it. chatd
 * never leaves one: its own files get their names when they are complete.
 */
export function refuseEmptyFile(path: string) {
  const sizeOf = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  if ([path, `${path}-wal`, `${path}-journal`].some((name) => sizeOf(name) > 0)) return;
  throw new Error(
    `${path} is empty, as after a copy that failed: restore a backup, or remove the file to begin anew.`,
  );
}

/** Removes drafts of all processes, because a draft is useless once the database exists. */
function removeDrafts(path: string, ownDraft: string) {
  const names = existsSync(path) ? readdirSync(dirname(path)) : [];
  const drafts = names.filter((name) => name.startsWith(`${basename(path)}.new-`));
  for (const draft of [ownDraft, ...drafts.map((name) => join(dirname(path), name))])
    rmSync(draft, { force: true });
}

function fill(path: string, { migrations, whole, facts, now }: NewFile) {
  writeFileSync(path, Bun.zstdDecompressSync(whole.file), { mode: 0o600 });
  const file = new SqliteFile(path, { readwrite: true });
  try {
    file.run("PRAGMA synchronous = OFF");
    file.run("PRAGMA journal_mode = MEMORY");
    file.run("BEGIN");
    for (const { version, name } of migrations)
      file.run(`${insertVersion} (?, ?, ?)`, [version, name, now]);
    for (const fact of Object.entries(facts))
      file.run("INSERT INTO server_facts (name, value) VALUES (?, ?)", fact);
    file.run("COMMIT");
    file.run("PRAGMA journal_mode = WAL");
  } finally {
    file.close();
  }
}
