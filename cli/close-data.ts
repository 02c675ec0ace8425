import type { Log } from "../src/core/log";
import {
  type AccessReport,
  closeBelowDataFolder,
  closeDataFolder,
} from "../src/core/storage/data-folder-access";

const examplesMax = 5;

/**
 * Makes the data folder accessible only to its owner before it is opened, and logs what others
 * could access.
 */
export function closeData(log: Log, folder: string) {
  tell(log, folder, closeDataFolder(folder));
}

/** Continues with deeper folders while the server already answers. */
export async function closeDeepData(log: Log, folder: string) {
  tell(log, folder, await closeBelowDataFolder(folder));
}

function tell(log: Log, folder: string, { closed, open }: AccessReport) {
  if (closed.length > 0) {
    log.warn("data_closed_to_others", {
      folder,
      count: closed.length,
      examples: closed.slice(0, examplesMax),
      what: "Other accounts of this machine could access these files. chatd has removed their access.",
    });
  }
  if (open.length > 0) {
    log.warn("data_open_to_others", {
      folder,
      count: open.length,
      examples: open.slice(0, examplesMax),
      what_to_do:
        "Other accounts of this machine can access these files. chatd cannot remove their access, because the files belong to another account, or the folder also contains data of other programs. " +
        "Give chatd a folder of its own with --data, and remove the access of other accounts: chmod -R go= FOLDER",
    });
  }
}
