import { lstatSync, mkdirSync, renameSync, type Stats } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { takeFileLock } from "./file-lock";

const lockName = ".chatd-in-use";

/** The form of `crypto.randomUUID()`, with which the names of these folders end. */
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A folder that is in use until it is removed, or until its process ends in whatever way. */
export interface HeldFolder {
  path: string;
  /** Deletes the folder with all that is in it. */
  remove(): Promise<void>;
}

/**
 * Makes a folder whose name begins with the prefix. `removeLeftFolders` leaves it alone while this
 * process uses it.
 */
export function makeHeldFolder(parent: string, prefix: string): HeldFolder {
  const id = crypto.randomUUID();
  const draft = join(parent, `.chatd-${id}`);
  const path = join(parent, `${prefix}${id}`);
  mkdirSync(draft, { mode: 0o700 });
  const release = takeFileLock(join(draft, lockName), { create: true });
  if (!release) throw new Error(`The new folder ${draft} is in use.`);
  // It gets its name with its lock held, so that nobody takes it for one that was left.
  renameSync(draft, path);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      release();
    },
  };
}

/**
 * Removes the account's own folders that were made with that prefix, and whose processes have ended.
 * The lock tells, because the number of a process means another one in another container. Folders
 * whose names have another form are left alone, because other versions use those without a lock.
 */
export async function removeLeftFolders(parent: string, prefix: string): Promise<void> {
  const names = await readdir(parent).catch((): string[] => []);
  for (const name of names) {
    if (!name.startsWith(prefix) || !uuidForm.test(name.slice(prefix.length))) continue;
    // A failure means that it cannot be written, or that another process removes it.
    await removeIfLeft(join(parent, name)).catch(() => undefined);
  }
}

async function removeIfLeft(path: string) {
  const lock = join(path, lockName);
  const [folder, lockFile] = [path, lock].map((one) => lstatSync(one, { throwIfNoEntry: false }));
  if (!folder?.isDirectory() || !isOwn(folder)) return;
  // SQLite would follow a symbolic link to any database, and run its statements there.
  if (lockFile && !(lockFile.isFile() && isOwn(lockFile))) return;
  // A folder without a lock file is one whose removal was cut off.
  const release = lockFile ? takeFileLock(lock, { create: false }) : () => undefined;
  if (!release) return;
  try {
    await rm(path, { recursive: true, force: true });
  } finally {
    release();
  }
}

/** Whether a file belongs to the account that this process works as. */
const isOwn = ({ uid }: Stats) => uid === process.geteuid?.();
