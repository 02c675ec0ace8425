import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Rights of the group and of everybody else. */
const rightsOfOthers = 0o077;
const sticky = 0o1000;

/**
 * Names of all that chatd makes in its data folder, and of the folder that file systems bring
 * along.
 */
const ownName =
  /^(?:chatd\.db.*|secret(?:\..*)?|served-port|push-relay\.json(?:\..*)?|https|files|importing-.*|restoring-.*|before-restore-.*|before-schema-.*|restore-unfinished|\.chatd-.*|lost\+found)$/;

/** Whether chatd itself gives this name to something in its data folder. */
export const isOwnName = (name: string): boolean => ownName.test(name) && name !== "lost+found";

/** Report about rights that others had on what lies in a data folder. */
export interface AccessReport {
  /** Paths that others had rights on, and have none any more. */
  closed: string[];
  /** Paths that stay open to others: another account owns them, or the folder has more in it. */
  open: string[];
}

/**
 * Takes from others every right on the data folder and on what chatd has made directly in it. A
 * folder that holds something else too, such as /srv, stays as it is, because more than chatd may
 * use it.
 */
export function closeDataFolder(folder: string): AccessReport {
  const report: AccessReport = { closed: [], open: [] };
  const status = statusOf(folder, statSync);
  if (!status?.isDirectory()) return report;
  const names = readdirSync(folder);
  const isShared = names.some((name) => !ownName.test(name)) || (status.mode & sticky) !== 0;
  if (!isShared) close(folder, status, report);
  else if ((status.mode & rightsOfOthers) !== 0) report.open.push(folder);
  for (const name of names.filter(isOwnName)) {
    const path = join(folder, name);
    const its = statusOf(path, statSync);
    if (its) close(path, its, report);
  }
  return report;
}

/** Takes from others every right on what lies deeper in the folders that chatd has made there. */
export async function closeBelowDataFolder(folder: string): Promise<AccessReport> {
  const report: AccessReport = { closed: [], open: [] };
  const walk = async (path: string): Promise<void> => {
    for (const name of await readdir(path).catch((): string[] => [])) {
      const inner = join(path, name);
      const status = statusOf(inner, lstatSync);
      if (!status || status.isSymbolicLink()) continue;
      close(inner, status, report);
      if (status.isDirectory()) await walk(inner);
    }
  };
  for (const name of await readdir(folder).catch((): string[] => []))
    if (isOwnName(name)) await walk(join(folder, name));
  return report;
}

/** Files that a server removes meanwhile are no problem. */
function statusOf(path: string, read: typeof statSync | typeof lstatSync): Stats | undefined {
  try {
    return read(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function close(path: string, { mode }: Stats, { closed, open }: AccessReport) {
  if ((mode & rightsOfOthers) === 0) return;
  try {
    chmodSync(path, mode & 0o7777 & ~rightsOfOthers);
    closed.push(path);
  } catch {
    open.push(path);
  }
}
