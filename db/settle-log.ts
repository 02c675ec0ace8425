import { Database as SqliteFile } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { EngineHooks } from "./engine";
import { errorCode } from "./sqlite-error";
import { syncFolder, syncToDisk } from "./sync-to-disk";

const bytesAtOnce = 1_048_576;
const waitLimitMilliseconds = 1_000;
const waitStepMilliseconds = 50;
const lockLimitMilliseconds = 5_000;
const userVersionOffset = 60;

/**
 * A file beside the database that shows that the disk has failed. It stays until everything has
 * been written to the disk again.
 */
const failureFile = (path: string) => `${path}-failed`;

/**
 * Notes that the disk failed to store a write. If the note cannot be stored either, the next start
 * settles the log anyway.
 */
export function noteFailedDisk(path: string): void {
  try {
    writeFileSync(failureFile(path), "", { mode: 0o600 });
  } catch {
    // The process ends because of the original failure, so this one is ignored.
  }
}

/**
 * Makes sure that everything that can be read of an existing database is on the disk, before
 * anything is written to it. After a failed fsync, Linux shows pages that were never written to the
 * disk, and later calls of fsync succeed without writing them. Data that is appended to a log with
 * such pages would be lost with them in a power cut. So all bytes of the log are written again, and
 * then moved into the database. Answers whether this is the only process that has the database
 * open. If there are others, one of them has settled the log.
 */
export async function settleLog(path: string, hooks: Pick<EngineHooks, "warn">): Promise<boolean> {
  const hadLog = existsSync(`${path}-wal`);
  syncFolder(dirname(path));
  for (let waited = 0; ; waited += waitStepMilliseconds) {
    if (settleAlone(path, hadLog, hooks)) {
      rmSync(failureFile(path), { force: true });
      return true;
    }
    if (!existsSync(failureFile(path))) return false;
    if (waited >= waitLimitMilliseconds) throw new Error(waitedInVain(path));
    await new Promise((resolve) => setTimeout(resolve, waitStepMilliseconds));
  }
}

const waitedInVain = (path: string) =>
  `The disk failed while the server used ${path}, and another process, such as a backup or a command, still has that file ` +
  "open. Wait until that process has ended, or end it. Then start the server again.";

/**
 * Settles the log if this is the only process that has the file open. Answers false if there is
 * another one.
 */
function settleAlone(path: string, hadLog: boolean, hooks: Pick<EngineHooks, "warn">): boolean {
  const file = new SqliteFile(path, { readwrite: true });
  try {
    file.run("PRAGMA busy_timeout = 0");
    file.run("PRAGMA locking_mode = EXCLUSIVE");
    // The first read takes the lock.
    const wasInUse = readIsInUse(file);
    if (wasInUse && !hadLog) hooks.warn("log_missing", { file: path, what: missingLog(path) });
    if (sizeOf(`${path}-wal`) > 0) writeLogAgain(path, hooks);
    takeOver(file);
    if (existsSync(`${path}-wal`)) syncToDisk(`${path}-wal`);
    return true;
  } catch (error) {
    if (errorCode(error).startsWith("SQLITE_BUSY")) return false;
    throw error;
  } finally {
    file.close(true);
  }
}

/**
 * Moves the log into the database. If the disk has no room for that, the log stays, because it is
 * complete on the disk.
 */
function takeOver(file: SqliteFile) {
  try {
    if (readIsInUse(file)) markClosed(file);
    file.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
  } catch (error) {
    if (errorCode(error) !== "SQLITE_FULL") throw error;
  }
}

/**
 * Whether the file was not closed properly and its log is missing. Must be called before the file
 * is opened, because SQLite then creates a new log. It only looks at the files, so a server that
 * starts or ends between two of these checks may make the answer wrong.
 */
export function lacksLog(path: string): boolean {
  const isLogGone = () => !existsSync(`${path}-wal`);
  return isLogGone() && readMark(path) === 1 && isLogGone();
}

/** The `user_version` in the file's header (sqlite.org/fileformat2.html, 1.3). */
function readMark(path: string): number {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(4);
    readSync(descriptor, bytes, 0, 4, userVersionOffset);
    return bytes.readUInt32BE();
  } finally {
    closeSync(descriptor);
  }
}

export const missingLog = (path: string) =>
  `The database was not closed properly, and its log ${path}-wal is missing. Either another program has written the log ` +
  "back, such as a command that ended after the server was killed, or the newest changes are lost. If the log was moved away or left out of a copy, put it back. " +
  "Then check the data with: chatd admin check";

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Writes the log again. Copy-on-write file systems need room even for rewriting existing bytes. If
 * the disk is full and no disk has failed, the existing bytes are fine. If a disk has failed, they
 * must be written, and the start is refused until there is room.
 */
function writeLogAgain(path: string, hooks: Pick<EngineHooks, "warn">) {
  try {
    writeAgain(`${path}-wal`);
  } catch (error) {
    const isWithoutRoom = ["ENOSPC", "EDQUOT"].includes(errorCode(error));
    if (!isWithoutRoom || existsSync(failureFile(path))) throw error;
    syncToDisk(`${path}-wal`);
    hooks.warn("disk_full", {
      where: path,
      what_to_do: "Make room: nothing more can be stored there.",
    });
  }
}

/** Writes the bytes of a file again in their place, so that the system writes them to the disk. */
function writeAgain(path: string) {
  const descriptor = openSync(path, "r+");
  try {
    const bytes = Buffer.alloc(bytesAtOnce);
    for (let position = 0; ; ) {
      const count = readSync(descriptor, bytes, 0, bytes.length, position);
      if (count === 0) break;
      for (let written = 0; written < count; ) {
        written += writeSync(descriptor, bytes, written, count - written, position + written);
      }
      position += count;
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/*
 * A mark in the file's header says whether a server or a command has the file open, or has ended
 * without closing it. So a copy of the file that lacks its log can be recognized.
 */

const readIsInUse = (file: SqliteFile): boolean =>
  file.query("PRAGMA user_version").values()[0]?.[0] === 1;

/**
 * Marks the file as in use. The mark is written into the file itself, not only into its log. On a
 * full disk the file stays unmarked. Waits while another process that is just starting has an
 * exclusive lock.
 */
export function markInUse(file: SqliteFile): void {
  try {
    patiently(file, () => {
      if (!readIsInUse(file)) file.run("PRAGMA user_version = 1");
      file.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
    });
  } catch (error) {
    if (errorCode(error) !== "SQLITE_FULL") throw error;
  }
}

/** Removes the mark. It is called before the file is closed. */
export function markClosed(file: SqliteFile): void {
  patiently(file, () => file.run("PRAGMA user_version = 0"));
}

/**
 * Runs some work that waits inside of SQLite for locks. It is only used at the start and at the
 * end, when no requests are served.
 */
function patiently(file: SqliteFile, work: () => void) {
  file.run(`PRAGMA busy_timeout = ${lockLimitMilliseconds}`);
  try {
    work();
  } finally {
    file.run("PRAGMA busy_timeout = 0");
  }
}
