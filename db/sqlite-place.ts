import { statSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "./sqlite-error";

/** The database file does not stand under its name any more: what is written to it may be gone with the process. */
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
 * Remembers which files a database and its log are; the answer throws where others, or none, stand under their names. A look
 * is two calls of stat, 3 µs.
 */
export function watchPlace(path: string): () => void {
  const absolute = resolve(path);
  const watched = [absolute, `${absolute}-wal`];
  const known = watched.map((name) => ({ name, identity: identify(name) }));
  return () => {
    for (const { name, identity } of known) {
      const now = identify(name);
      if (now !== "untold" && now !== identity) throw new MovedError(absolute);
    }
  };
}

/** Which file has a name. `untold` where the system cannot say at the moment, as on a network that stutters. */
function identify(name: string): string {
  try {
    const { dev, ino } = statSync(name);
    return `${dev} ${ino}`;
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(errorCode(error)) ? "none" : "untold";
  }
}
