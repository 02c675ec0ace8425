/**
 * Whether a program that a bare machine may lack (python3, tmux) is on the PATH, for `test.skipIf(!requireTool("tmux"))`.
 * Prints a loud line when it is missing. Where `CI` is set nothing may be skipped, so there it throws instead.
 */
export function requireTool(name: string): boolean {
  if (Bun.which(name) !== null) return true;
  if (process.env.CI) throw new Error(`"${name}" is not installed, and with CI set no test may be skipped.`);
  console.error(`\n!!! SKIPPING tests: "${name}" is not installed.\n`);
  return false;
}
