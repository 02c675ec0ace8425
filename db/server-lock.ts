import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { takeFileLock } from "./file-lock";
import { databaseFile } from "./open";

/*
 * Only one server may use a SQLite database, because servers on SQLite send one another nothing:
 * people at one would not see who types at the other, and each would allow all of the limits.
 *
 * The lock (`takeFileLock`) is on an empty file beside the database. The file stays, because
 * another process may be waiting for its lock.
 */

const lockFile = (dataFolder: string) => `${databaseFile(dataFolder)}-serving`;

/** A file that tells others that the server with the lock is about to end. */
const stoppingFile = (dataFolder: string) => `${databaseFile(dataFolder)}-stopping`;

/** Lock of a data folder, which this process holds. */
export interface ServerLock {
  /**
   * Tells servers that start meanwhile that this one is stopping, so that they wait for its end.
   */
  noteStopping(): void;
  release(): void;
}

/**
 * Takes the lock of a data folder, which is made if it is missing. Undefined if another server
 * holds the lock. Throws if the disk refuses the lock file.
 */
export function takeServerLock(dataFolder: string): ServerLock | undefined {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const path = lockFile(dataFolder);
  const note = stoppingFile(dataFolder);
  const release = takeFileLock(path, { create: true });
  if (!release) return undefined;
  const own = fileAt(path);
  // A folder that was moved away may have a successor, which has a server and notes of its own.
  const isInPlace = () => own !== undefined && fileAt(path) === own;
  tryToChange(() => rmSync(note, { force: true }));
  return {
    noteStopping: () => tryToChange(() => isInPlace() && writeFileSync(note, "", { mode: 0o600 })),
    release() {
      release();
      tryToChange(() => isInPlace() && rmSync(note, { force: true }));
    },
  };
}

/** Identity of the file at a path; undefined if there is none, or if the system cannot tell. */
function fileAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

/**
 * Changes the note if the disk allows it. If not, a server that starts meanwhile is refused instead
 * of waiting, or waits instead of being refused.
 */
function tryToChange(change: () => unknown) {
  try {
    change();
  } catch {
    // The lock alone decides which server runs.
  }
}

/**
 * Whether the server that holds the lock is stopping. It is asked before the lock is tried, because
 * the note of a server is gone once it has released the lock.
 */
export const isHolderStopping = (dataFolder: string): boolean =>
  existsSync(stoppingFile(dataFolder));

/**
 * Number of the process that holds the lock, as Linux lists it (proc_locks(5)); undefined on other
 * systems, if the process is in another container, and on file systems that the list names in
 * another way, such as btrfs.
 */
export function findLockHolder(dataFolder: string): number | undefined {
  try {
    const { dev, ino } = statSync(lockFile(dataFolder));
    const numbers = [(dev >>> 8) & 0xfff, (dev & 0xff) | ((dev >>> 12) & 0xfff00)];
    const device = numbers.map((one) => one.toString(16).padStart(2, "0")).join(":");
    const locks = readFileSync("/proc/locks", "utf8").split("\n");
    const line = locks.find((one) => one.includes(" WRITE ") && one.includes(` ${device}:${ino} `));
    const [, pid] = / WRITE +(\d+) /.exec(line ?? "") ?? [];
    return pid === undefined ? undefined : Number(pid);
  } catch {
    return undefined;
  }
}
