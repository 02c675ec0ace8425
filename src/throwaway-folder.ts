import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../src/core/alive";

/**
 * Contains the name of the machine, because containers may share a folder and number their
 * processes separately.
 */
const prefix = `chatd-ephemeral-${hostname()}-`;

/**
 * Makes the data folder of a throwaway server, which is removed when the process ends. Removes the
 * folders of killed processes, because they could not do it themselves.
 */
export function makeThrowawayFolder(): string {
  removeLeft(tmpdir());
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function removeLeft(parent: string) {
  for (const name of namesIn(parent)) {
    const rest = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    const [, pid] = /^(\d+)-[^-]+$/.exec(rest) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It belongs to another account, or another starting server removes it.
    }
  }
}

/** Names in a folder; none if the folder may not be listed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
