import { lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";

const quietMillisecondsMax = 86_400_000;

/**
 * Removes files that killed processes have left beside a new file: those whose names have its form,
 * which nobody has written to for a day. For a new folder, it removes folders. Only the age counts,
 * because a number of a process means nothing in another container; it is by the clock of the file
 * system. Files of other accounts, and those that cannot be removed, stay.
 */
export function removeLeftBehind(created: string, form: RegExp): void {
  const own = lstatSync(created);
  const folder = dirname(created);
  for (const name of namesIn(folder)) {
    if (!form.test(name) || name === basename(created)) continue;
    const path = join(folder, name);
    try {
      const status = lstatSync(path);
      const isAlike = kindOf(status) === kindOf(own) && status.uid === own.uid;
      if (isAlike && own.mtimeMs - lastWritten(path, status) > quietMillisecondsMax)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // It has gone meanwhile, or stays.
    }
  }
}

const kindOf = (status: Stats) =>
  status.isFile() ? "file" : status.isDirectory() ? "folder" : "other";

/** UNIX milliseconds. A file in a folder is written without a change of the folder. */
const lastWritten = (path: string, status: Stats): number =>
  status.isDirectory()
    ? Math.max(status.mtimeMs, ...namesIn(path).map((name) => lstatSync(join(path, name)).mtimeMs))
    : status.mtimeMs;

/** Names in a folder; none if it cannot be listed, which is no reason not to write there. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
