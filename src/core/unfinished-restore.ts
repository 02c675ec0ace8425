import { existsSync } from "node:fs";
import { join } from "node:path";

/** A file that stands in the data folder while restored data takes the place of the old. */
export const unfinishedRestoreFile = (dataFolder: string): string =>
  join(dataFolder, "restore-unfinished");

/**
 * Refuses to work on data of which a part is that of a backup and a part is not: a restore was cut
 * off.
 */
export function requireFinishedRestore(dataFolder: string): void {
  if (!existsSync(unfinishedRestoreFile(dataFolder))) return;
  throw new Error(
    `A restore into ${dataFolder} was cut off. Run it again: chatd admin restore FILE --force. ` +
      "What was there before is in its folder before-restore-….",
  );
}
