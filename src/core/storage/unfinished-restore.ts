import { existsSync } from "node:fs";
import { join } from "node:path";

/** A file that stands in the data folder while restored data replaces the old data. */
export const unfinishedRestoreFile = (dataFolder: string): string =>
  join(dataFolder, "restore-unfinished");

/** Whether a restore into a data folder was cut off. */
export const isRestoreCutOff = (dataFolder: string): boolean =>
  existsSync(unfinishedRestoreFile(dataFolder));

/** Refuses to work on data that is partly restored, because a restore was interrupted. */
export function requireFinishedRestore(dataFolder: string): void {
  if (!isRestoreCutOff(dataFolder)) return;
  throw new Error(
    `A restore into ${dataFolder} was interrupted. Run it again: chatd admin restore FILE --force. ` +
      "The former data is in its folder before-restore-….",
  );
}
