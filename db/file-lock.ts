import { Database as SqliteFile } from "bun:sqlite";
import { accessSync, constants } from "node:fs";
import { errorCode } from "./sqlite-error";

/**
 * Takes a lock that the system releases when the process ends, in whatever way, so that it is never
 * stale, also not among containers that share a folder. Answers the function that releases it;
 * undefined if another process or another part of this one holds the lock. Throws if the file
 * cannot be written.
 *
 * The lock is an open transaction that may write, on an empty SQLite file. SQLite allows one such
 * transaction at a time. Two that try at once do not refuse each other, as they can with an
 * exclusive one. It works wherever SQLite works, also without hard links. The process must not open
 * the file in any other way: POSIX releases a lock when its process closes any descriptor of the
 * file.
 */
export function takeFileLock(
  path: string,
  { create }: { create: boolean },
): (() => void) | undefined {
  const file = new SqliteFile(path, { readwrite: true, create });
  try {
    // A journal on the disk would stay after a crash.
    file.run("PRAGMA journal_mode = MEMORY");
    file.run("BEGIN IMMEDIATE");
    // SQLite begins the transaction on a file that can only be read, too, but without the lock.
    accessSync(path, constants.W_OK);
  } catch (error) {
    file.close();
    if (errorCode(error).startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
  return () => file.close();
}
