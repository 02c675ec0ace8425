import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../src/core/alive";

const prefix = "chatd-ephemeral-";

/**
 * Makes the data folder of a throw-away server, which goes with the process. Removes those of
 * processes that were killed, because they could not do it themselves.
 */
export function makeThrowAwayFolder(): string {
  removeLeft(tmpdir());
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function removeLeft(parent: string) {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^chatd-ephemeral-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // It is another account's, or another server that starts removes it.
    }
  }
}
