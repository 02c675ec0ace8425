import { existsSync, linkSync, renameSync } from "node:fs";
import { errorCode } from "./sqlite-error";

/** Errors of file systems without hard links. */
const withoutLinks = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "EINVAL"]);

/**
 * Gives a complete draft the name of a file, so that nobody sees a part of the file. Throws if a
 * file has that name, because another process may have made it meanwhile. Without hard links, a
 * file that another process makes in the very moment is replaced.
 */
export function giveName(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!withoutLinks.has(errorCode(error)) || existsSync(path)) throw error;
    renameSync(draft, path);
  }
}
