import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../src/core/error-code";
import { badRequest } from "../../src/core/errors";
import { isAlive } from "../../src/core/is-alive";

const lockName = ".chatd-upgrading";

/**
 * Does work on the executables of a folder while no other upgrade does. A lock file contains the
 * number of the process, and is ignored when that process has ended.
 */
export async function oneAtATime(own: string, work: () => Promise<void>): Promise<void> {
  const lock = join(dirname(own), lockName);
  if (!take(lock) && !(removeStale(lock) && take(lock)))
    throw badRequest(
      `Another chatd upgrade is replacing ${own}. Wait until it ends. If no upgrade is running, remove ${lock}.`,
    );
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: "wx", mode: 0o644 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock file of a process that has ended; answers whether the lock is free. */
function removeStale(lock: string): boolean {
  const pid = holderOf(lock);
  if (pid === undefined) return true;
  if (!Number.isSafeInteger(pid) || pid <= 0 || isAlive(pid)) return false;
  // Another upgrade may meanwhile have removed the old file and written its own: then that file is
  // moved back.
  const mine = `${lock}.${process.pid}`;
  try {
    renameSync(lock, mine);
  } catch {
    return true;
  }
  const isStale = holderOf(mine) === pid;
  if (!isStale) linkSync(mine, lock);
  rmSync(mine, { force: true });
  return isStale;
}

/** Number of the process in a lock file; undefined if there is none. */
function holderOf(lock: string): number | undefined {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return undefined;
  }
}
