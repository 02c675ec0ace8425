import { writeError } from "../../cli/output";
import { runCommandLine } from "../../cli/program";
import { writeLine } from "../../cli/stdout";

/*
 * A process that runs commands one after the other, as `cli/main.ts` runs one. Each begins with an
 * object of its own for its options and ends with its data closed. After the output of a command,
 * a line with its `mark` is written to both streams, as commands write theirs.
 */

/** A command that the host runs: its words, and the text that tells where its output ends. */
export interface HostedCommand {
  args: string[];
  mark: string;
}

if (import.meta.main) {
  process.umask(0o077);
  const words = process.argv.slice(0, 2);
  let before: Promise<void> = Promise.resolve();
  const run = async ({ args, mark }: HostedCommand) => {
    process.argv = [...words, ...args];
    process.exitCode = 0;
    const code = await runCommandLine();
    writeLine(mark);
    writeError(mark);
    process.send?.(code);
  };
  process.on("message", (command: HostedCommand) => {
    before = before.then(() => run(command));
  });
  process.on("disconnect", () => process.exit());
}
