import { spawnSync } from "bun";

/**
 * Whether a program that a bare machine may lack (python3, tmux) is on the PATH, for
 * `test.skipIf(!requireTool("tmux"))`. Prints a loud line when it is missing. Where `CI` is set
 * nothing may be skipped, so there it throws instead.
 */
export const requireTool = (name: string): boolean =>
  Bun.which(name) !== null || lacking(`"${name}" is not installed`);

/** Says loudly that tests are skipped and why, and answers false. Throws where `CI` is set. */
export function lacking(why: string): false {
  if (process.env.CI) throw new Error(`${why}, and with CI set no test may be skipped.`);
  console.error(`\n!!! SKIPPING tests: ${why}.\n`);
  return false;
}

let python: string | undefined;

/**
 * Path of the interpreter that `python3` on the PATH runs. Where that name is a shim (pyenv), a
 * shell runs before each start of Python, which takes longer than the start itself.
 */
export function pythonPath(): string {
  const printing = ["python3", "-c", "import sys; print(sys.executable)"];
  python ??= spawnSync(printing).stdout.toString().trim();
  return python;
}
