import { lstatSync, mkdirSync, renameSync, rmSync, type Stats } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { takeFileLock } from "./file-lock";

const lockName = ".chatd-in-use";
/** The name of a folder begins with this until it is locked. */
const draftPrefix = ".chatd-";

/** The form of `crypto.randomUUID()`, with which the names of these folders end. */
const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A folder that is in use until it is removed, or until its process ends in whatever way. */
export interface HeldFolder {
  path: string;
  /** Deletes the folder with all that is in it. */
  remove(): Promise<void>;
}

/** Attempts to make a folder, because another process may remove a draft before it is locked. */
const attemptsMax = 10;

/**
 * Makes a folder whose name begins with the prefix. `removeLeftFolders` leaves it alone while this
 * process uses it.
 */
export function makeHeldFolder(parent: string, prefix: string): HeldFolder {
  for (let attempt = 1; ; attempt++) {
    try {
      return makeOne(parent, prefix);
    } catch (error) {
      if (attempt === attemptsMax) throw error;
    }
  }
}

function makeOne(parent: string, prefix: string): HeldFolder {
  const id = crypto.randomUUID();
  const draft = join(parent, `${draftPrefix}${id}`);
  const path = join(parent, `${prefix}${id}`);
  mkdirSync(draft, { mode: 0o700 });
  let release: (() => void) | undefined;
  try {
    release = takeFileLock(join(draft, lockName), { create: true });
    if (!release) throw new Error(`The new folder ${draft} is in use.`);
    // It gets its name with its lock held, so that nobody takes it for one that was left.
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    release?.();
    throw error;
  }
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      release();
    },
  };
}

/**
 * Removes the account's own folders that were made with that prefix, or were being made, and whose
 * processes have ended. The lock tells, because the number of a process means another one in
 * another container. Folders whose names have another form are left alone, because other versions
 * use those without a lock.
 */
export async function removeLeftFolders(parent: string, prefix: string): Promise<void> {
  const names = await readdir(parent).catch((): string[] => []);
  for (const name of names) {
    const path = join(parent, name);
    // A failure means that it cannot be written, or that another process removes it.
    if (hasForm(name, prefix)) await removeIfLeft(path, removeAll).catch(() => undefined);
    if (hasForm(name, draftPrefix)) await removeIfLeft(path, removeDraft).catch(() => undefined);
  }
}

const hasForm = (name: string, prefix: string) =>
  name.startsWith(prefix) && uuidForm.test(name.slice(prefix.length));

type Remove = (path: string, lock: string | undefined) => Promise<void>;

async function removeIfLeft(path: string, remove: Remove) {
  const lock = join(path, lockName);
  const [folder, lockFile] = [path, lock].map((one) => lstatSync(one, { throwIfNoEntry: false }));
  if (!folder?.isDirectory() || !isOwn(folder)) return;
  // SQLite would follow a symbolic link to any database, and run its statements there.
  if (lockFile && !(lockFile.isFile() && isOwn(lockFile))) return;
  // A folder without a lock file is a draft, or one whose removal was cut off.
  const release = lockFile ? takeFileLock(lock, { create: false }) : () => undefined;
  if (!release) return;
  try {
    await remove(path, lockFile && lock);
  } finally {
    release();
  }
}

const removeAll: Remove = (path) => rm(path, { recursive: true, force: true });

/**
 * Removes a draft, which contains at most its lock file. A lock file that its process has made
 * meanwhile stays, so that the process either has a folder with its lock, or makes another one.
 */
async function removeDraft(path: string, lock: string | undefined) {
  if (lock !== undefined) await rm(lock);
  await rmdir(path);
}

/** Whether a file belongs to the account that this process works as. */
const isOwn = ({ uid }: Stats) => uid === process.geteuid?.();
