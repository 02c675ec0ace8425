import { Command, CommanderError } from "commander";
import { version } from "../src/core/version";
import { shellArgument, withConfig } from "./options";
import { reportError, UsageError } from "./output";

const program = new Command("chatd")
  .description("A self-hosted team chat server in one executable")
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: () => undefined });

withConfig(program.command("serve"))
  .description("run the server")
  .option("--apply <file>", "first make the organization what this YAML file declares")
  .option("--credentials <file>", "write API keys of those whom it declares to this file (mode 0600)")
  .option("--ephemeral", "keep the data in a temporary folder and remove it at the end")
  .action(async (options) => (await import("./serve")).serve(options));

// To build what `serve` does not need would take a tenth of its start.
if (process.argv[2] !== "serve") program.addCommand((await import("./admin-commands")).admin);

program
  .command("completion")
  .description("print a script that lets a shell complete commands and options")
  .addArgument(shellArgument())
  .action(async (shell) => (await import("./completion")).printCompletion(program, shell));

/** Runs the command line and answers the exit code. */
async function main(): Promise<number> {
  try {
    await program.parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return reportError(error instanceof CommanderError ? asUsageError(error) : error, {
      json: process.argv.includes("--json"),
    });
  }
}

function asUsageError({ code, message }: CommanderError): UsageError {
  if (code === "commander.help") return new UsageError("Which command? They are listed above.");
  return new UsageError(`${message.replace(/^error: /, "")}\nSee: chatd --help`);
}

process.exit(await main());
