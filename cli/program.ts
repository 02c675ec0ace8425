import { Command, CommanderError, Option } from "commander";
import { isSecret, optionNames } from "../src/config/config";
import { withExamples } from "./examples";
import { helpSettings } from "./help";
import { manualArgument, shellArgument, withConfig } from "./options";
import { reportError, UsageError } from "./output";
import { writeLine, writeOutput } from "./stdout";
import { addUpgradeCommand } from "./upgrade-commands";

const program = new Command("chatd")
  .description("A self-hosted team chat server in one executable")
  .option("-V, --version", "print the version, the commit and the version of the data's schema")
  .on("option:version", printVersion)
  .exitOverride()
  .configureHelp(helpSettings)
  .configureOutput({ outputError: () => undefined, writeOut: writeOutput });

const afterServe = `
Each option is also an environment variable (CHATD_LOG_LEVEL for --log-level) and a key of the configuration file (log_level).
Secrets cannot be flags, because others could read them on the command line:
${optionNames.filter(isSecret).join(", ")}. A variable such as CHATD_SECRET_FILE can name a file that holds one.`;

withExamples(
  withConfig(program.command("serve")),
  "chatd serve",
  "chatd serve --https chat.example.com --data /var/lib/chatd",
  "chatd serve --apply acme.yaml --data /var/lib/chatd",
  "chatd serve --ephemeral --port 0",
  "chatd serve --ephemeral --fixture dev --port 9991",
)
  .description("run the server")
  .option("--apply <file>", "first change the organization to match this YAML file")
  .option(
    "--credentials <file>",
    "write new API keys of the declared users to this file (mode 0600) at each start; those of an earlier file end",
  )
  .option("--ephemeral", "keep the data in a temporary folder and remove it at the end")
  .addOption(
    new Option(
      "--fixture <name>",
      "fill a throwaway server with users for tests of clients, which sign in without a password",
    ).choices(["dev"]),
  )
  .addHelpText("after", () => afterServe)
  .action(async (options) => (await import("./serve")).serve(options));

withExamples(program.command("completion"), "chatd completion bash > /etc/bash_completion.d/chatd")
  .description("print a script that lets a shell complete commands and options")
  .addArgument(shellArgument())
  .action(async (shell) => (await import("./completion")).printCompletion(program, shell));

addUpgradeCommand(program);

withExamples(program.command("man"), "chatd man | man -l -", "chatd man chatd.toml | man -l -")
  .description("print a man page")
  .addArgument(manualArgument())
  .action(async (page) => (await import("./manual")).printManual(program, page));

/** Prints the version. Its code is loaded here, because no other command needs it. */
function printVersion() {
  const { versionLine }: typeof import("./version-line") = require("./version-line");
  writeLine(versionLine());
  throw new CommanderError(0, "commander.version", versionLine());
}

/** Runs the command line and answers the exit code, which a command may have set itself. */
export async function runCommandLine(): Promise<number> {
  try {
    await runProgram();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return reportError(error, { json: process.argv.includes("--json") });
  }
}

/**
 * Runs the command that the command line names. Throws a `UsageError` if there is no such command.
 */
async function runProgram(): Promise<void> {
  try {
    await (await wholeProgram()).parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw asUsageError(error);
  }
}

/**
 * The program with all of its commands. For `chatd serve` the commands of `chatd admin` are left
 * out, because they take a tenth of the start.
 */
export async function wholeProgram(): Promise<Command> {
  if (process.argv[2] === "serve" || program.commands.some((one) => one.name() === "admin"))
    return program;
  const { admin } = await import("./admin-commands");
  return program.addCommand(admin);
}

function asUsageError({ code, message }: CommanderError): UsageError {
  if (code === "commander.help") return new UsageError("Name a command: they are listed above.");
  const words = process.argv.slice(2);
  if (code === "commander.unknownCommand" && isAdminCommand(words[0]))
    return new UsageError(
      `chatd ${words[0]} is a command of chatd admin.\nTry: chatd admin ${words[0]} --help`,
    );
  const advice = code === "commander.unknownOption" ? secretAdvice(message) : undefined;
  return new UsageError(
    `${message.replace(/^error: /, "")}\n${advice ?? `See: ${commandOf(words).join(" ")} --help`}`,
  );
}

/** Advice for a secret that was given as a flag; undefined for any other flag. */
function secretAdvice(message: string): string | undefined {
  const flag = /'--([a-z0-9-]+)/.exec(message)?.[1];
  const secret = optionNames.find((name) => isSecret(name) && name.replaceAll("_", "-") === flag);
  if (secret === undefined) return undefined;
  const variable = `CHATD_${secret.toUpperCase()}`;
  return (
    "A secret cannot be a flag, because others on this machine could read it in the list of processes. " +
    `Set ${variable}, or ${variable}_FILE to the path of a file that holds it, or ${secret} in the configuration file.`
  );
}

const isAdminCommand = (word: string | undefined) =>
  program.commands
    .find((one) => one.name() === "admin")
    ?.commands.some((one) => one.name() === word) ?? false;

/** The longest beginning of these words that is a command. */
function commandOf(words: readonly string[]): string[] {
  const path = [program.name()];
  let command: Command | undefined = program;
  for (const word of words) {
    command = command.commands.find((one) => one.name() === word);
    if (!command) break;
    path.push(word);
  }
  return path;
}
