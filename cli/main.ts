import { readPlainServe } from "./flags";
import { reportError } from "./output";

/** Runs the command line and answers the exit code. */
async function main(): Promise<number> {
  try {
    const plainServe = readPlainServe(process.argv.slice(2));
    if (plainServe) await (await import("./serve")).serve(plainServe);
    else await (await import("./program")).runProgram();
    return 0;
  } catch (error) {
    return reportError(error, { json: process.argv.includes("--json") });
  }
}

// Files that chatd makes are for its own account alone, because a service manager or a shell may allow others more.
process.umask(0o077);
process.exit(await main());
