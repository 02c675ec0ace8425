import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder, syncToDisk } from "../../../db/sync-to-disk";

const privateFile = 0o600;

/**
 * Puts a text into a file that only this account may read, in place of the one that is there, and
 * returns when it is on the disk. The draft lies in the folder of the file, and is gone afterwards.
 */
export function replacePrivateFile(path: string, draft: string, text: string) {
  try {
    writeFileSync(draft, text, { mode: privateFile });
    syncToDisk(draft);
    renameSync(draft, path);
    syncFolder(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}
