/**
 * Installs the Python package `zulip` and what it needs, in the versions of `requirements.txt`, into a virtual environment
 * below node_modules/.cache. `bun run test/clients/setup.ts` prints the interpreter to use.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CryptoHasher, spawnSync } from "bun";
import { root } from "../support/source-tree";

const requirements = join(import.meta.dir, "requirements.txt");
const cache = join(root, "node_modules/.cache/chatd-clients");
const stepMilliseconds = 180_000;

/** The interpreter that has the package, installed now if it is not there yet; throws when it cannot be had. */
export function preparePython(): string {
  const folder = join(cache, nameOf(run(["python3", "--version"])));
  const interpreter = join(folder, "bin/python");
  if (!existsSync(interpreter)) install(folder);
  return interpreter;
}

/** One environment for each set of versions, Python's own included. */
function nameOf(pythonVersion: string): string {
  return new CryptoHasher("sha256").update(pythonVersion).update(readFileSync(requirements)).digest("hex").slice(0, 16);
}

/** Installs beside and renames at the end, so that what is there is complete. */
function install(folder: string) {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  try {
    run(["python3", "-m", "venv", draft]);
    const pip = [join(draft, "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run([...pip, "--retries", "2", "--requirement", requirements]);
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function run(command: string[]): string {
  const { exitCode, stdout, stderr } = spawnSync(command, { timeout: stepMilliseconds, stdin: "ignore" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${stderr}${stdout}`);
  return stdout.toString();
}

if (import.meta.main) console.log(preparePython());
