import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, resolve } from "node:path";
import { makeHeldFolder, removeLeftFolders } from "../db/held-folder";

const prefix = "chatd-ephemeral-";

/**
 * Makes the data folder of a throwaway server, which is removed when the process ends. Removes the
 * folders of killed processes, because they could not do it themselves.
 */
export async function makeThrowawayFolder(): Promise<string> {
  await removeLeftFolders(tmpdir(), prefix);
  const folder = makeHeldFolder(tmpdir(), prefix);
  // The listener also keeps the lock in memory, because an unused one would be released.
  process.on("exit", () => rmSync(folder.path, { recursive: true, force: true }));
  return folder.path;
}

/** Whether a folder has the name of a throwaway server's. */
export const isThrowawayFolder = (path: string): boolean =>
  basename(resolve(path)).startsWith(prefix);
