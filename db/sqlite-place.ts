import { type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode } from "./sqlite-error";

/**
 * Error that the database file has been moved or removed, so that written data may be lost when the
 * process ends.
 */
export class MovedError extends Error {
  constructor(path: string) {
    super(
      `${path} is not there any more, or is another file: its folder was renamed, removed or replaced while the server ` +
        "was running. Since this was noticed, no change has been acknowledged. Put the folder back in its place, then start the server.",
    );
    this.name = "MovedError";
  }
}

/**
 * Age from which on a folder's time of change identifies its state. Before that, another change
 * within one tick of the system's clock could leave the time as it is.
 */
const settledMilliseconds = 1_000;

/**
 * Remembers which files a database and its log are. The answered function throws when other files,
 * or none, have their names. It checks only the folder as long as nothing in the folder is created,
 * renamed or removed. Checking the files each time would slow down each fsync, because since Linux
 * 6.13 a file whose times were read gets new times with the next write.
 */
export function watchPlace(path: string, settledAfter = settledMilliseconds): () => void {
  const absolute = resolve(path);
  const folder = dirname(absolute);
  const watched = [absolute, `${absolute}-wal`];
  const expected = watched.map((name) => ({ name, identity: identify(name) }));
  let seen = "";
  let isResting = false;
  let isSettled = false;
  const rest = setTimeout(() => {
    isResting = true;
  }, settledAfter).unref();
  return () => {
    const state = stateOf(folder);
    if (isSettled && state === seen) return;
    if (state !== seen) {
      seen = state;
      isResting = false;
      isSettled = false;
      rest.refresh();
    }
    for (const { name, identity } of expected) {
      const now = identify(name);
      if (now !== "unknown" && now !== identity) throw new MovedError(absolute);
    }
    isSettled = isResting;
  };
}

/** Identity of a folder, and the time of the last creation, renaming or removal in it. */
const stateOf = (folder: string) =>
  inspectFile(folder, ({ dev, ino, ctimeMs }) => `${dev} ${ino} ${ctimeMs}`);

/** Identity of the file with a name. */
const identify = (name: string) => inspectFile(name, ({ dev, ino }) => `${dev} ${ino}`);

/**
 * The system's answer about a name, as one text: `none` if it does not exist, or `unknown` if the
 * system cannot answer, for example because of a network failure.
 */
function inspectFile(name: string, describe: (status: Stats) => string): string {
  try {
    return describe(statSync(name));
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(errorCode(error)) ? "none" : "unknown";
  }
}
