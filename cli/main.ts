import { reportError } from "./output";
import { runProgram } from "./program";

/** Runs the command line and answers the exit code, which a command may have set itself. */
async function main(): Promise<number> {
  try {
    await runProgram();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return reportError(error, { json: process.argv.includes("--json") });
  }
}

// Files that chatd makes are only for its own account, because a service manager or a shell may
// allow more.
process.umask(0o077);
process.exit(await main());
