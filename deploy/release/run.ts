import { join } from "node:path";
import { spawnSync } from "bun";

/** The repository's folder. */
export const root = join(import.meta.dir, "../..");

/** Runs a program to its end in a folder; answers what it has printed. Throws where it fails. */
export function run(words: readonly string[], folder = root): string {
  const { exitCode, stdout, stderr } = spawnSync([...words], { cwd: folder });
  if (exitCode !== 0)
    throw new Error(`${words.join(" ")} ended with ${exitCode}:\n${stderr}${stdout}`);
  return stdout.toString();
}
