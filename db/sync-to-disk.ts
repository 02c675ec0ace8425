import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { errorCode } from "./sqlite-error";

/** Returns when a file's content, or the names in a folder, are on the disk. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Syncs the names in a folder. Some file systems, such as network ones, cannot sync folders and
 * report an error, which is ignored.
 */
export function syncFolder(path: string): void {
  try {
    syncToDisk(path);
  } catch (error) {
    if (!isUnsyncable(error)) throw error;
  }
}

/** Syncs the names in a folder as `syncFolder` does, while other work goes on. */
export async function syncFolderMeanwhile(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!isUnsyncable(error)) throw error;
  } finally {
    await folder.close();
  }
}

const isUnsyncable = (error: unknown): boolean =>
  ["EINVAL", "ENOTSUP", "EOPNOTSUPP"].includes(errorCode(error));
