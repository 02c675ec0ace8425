import type { Argument, Command } from "commander";
import { isSecret, type OptionName, optionNames, options } from "../src/config/config";
import { commitDate, version } from "../src/core/version";
import { examplesOf } from "./examples";
import { flagGroups } from "./flags";
import { isShared, type ManualPage } from "./options";
import { beginPage, entry, example, paragraph, section, subsection } from "./roff";
import { writeLine } from "./stdout";

/** `chatd man [PAGE]`: prints a page of the manual, generated from the commands and options. */
export function printManual(program: Command, page: ManualPage) {
  writeLine(pages[page](program).join("\n"));
}

const pages: Record<ManualPage, (program: Command) => string[]> = {
  chatd: commandsPage,
  "chatd.toml": configurationPage,
};

const headOf = (name: string, number: number, manual: string) =>
  beginPage(name, number, { date: commitDate ?? "", source: `chatd ${version}`, manual });

/** Options of many commands, explained once. */
const sharedOptions = [
  ["--data <folder>", "The data folder of the server."],
  ["--database <address>", "The PostgreSQL database, if the server uses one instead of SQLite."],
  ["--config <file>", "The configuration file, see chatd.toml(5)."],
  ["--realm <host-name>", "The host name of the organization, if there are several."],
  ["--json", "Print one JSON object; for an error it has result, code and msg."],
  ["--help", "Show help for a command."],
] as const;

/** chatd(1) */
function commandsPage(program: Command): string[] {
  return [
    ...headOf("chatd", 1, "User Commands"),
    section("NAME"),
    "chatd \\- a self\\-hosted team chat server in one executable",
    section("SYNOPSIS"),
    ".SY chatd",
    "serve",
    ".RI [ option \\~.\\|.\\|.]",
    ".YS",
    ".SY chatd",
    ".I command",
    ".RI [ option \\~.\\|.\\|.]",
    ".RI [ argument \\~.\\|.\\|.]",
    ".YS",
    section("DESCRIPTION"),
    ...paragraph(
      "chatd is the chat of a team: channels with topics, direct messages and bots, in a browser, and in every client that speaks the HTTP API of Zulip. " +
        "Its data is in a folder, in an SQLite database, or in PostgreSQL.",
    ),
    ...paragraph(
      "chatd serve runs the server. chatd admin changes its data, with a running server or without. Every option of the configuration is a flag, a variable or a key of a file: see chatd.toml(5).",
    ),
    section("COMMANDS"),
    ...leavesOf(program).flatMap(describeCommand),
    section("OPTIONS"),
    ...paragraph("Most commands take these options:"),
    ...sharedOptions.flatMap(([term, meaning]) => entry(term, meaning)),
    ...endOfCommandsPage(),
  ];
}

const endOfCommandsPage = (): string[] => [
  section("EXIT STATUS"),
  ...entry("0", "Success."),
  ...entry(
    "1",
    "The command was refused or failed, and stderr says why; or chatd admin check, chatd admin doctor or chatd admin config check has found a problem.",
  ),
  ...entry("2", "Wrong usage, or an error in the configuration."),
  ...entry("3", "chatd admin apply --diff: something would change."),
  ...entry("129", "The terminal was closed (SIGHUP)."),
  ...entry("130", "The command was interrupted by Ctrl-C (SIGINT)."),
  ...entry("141", "The program that reads the output has ended, as head does."),
  ...entry("143", "The command was terminated (SIGTERM)."),
  section("FILES"),
  ...entry(
    "./chatd.toml, /etc/chatd/chatd.toml",
    "The configuration file: the first of these that exists.",
  ),
  ...entry("./data", "The default data folder; a systemd service uses /var/lib/chatd."),
  ...entry(
    "docs/",
    "The pages that messages name, in the archive of a release. The Debian package has them in /usr/share/doc/chatd/docs.",
  ),
  section("EXAMPLES"),
  ...example([
    "chatd serve --data /var/lib/chatd --url https://chat.example.com",
    "chatd admin user add bob@example.com --name Bob --role member",
    "chatd admin backup /backup/chatd.tar --data /var/lib/chatd",
  ]),
  section("SEE ALSO"),
  ".BR chatd.toml (5)",
];

interface Leaf {
  words: string;
  command: Command;
}

/** Commands that do something, not groups of commands, in their order. */
function leavesOf(command: Command, before = ""): Leaf[] {
  const words = `${before} ${command.name()}`.trim();
  const own = command.commands.length === 0 ? [{ words, command }] : [];
  return [...own, ...command.commands.flatMap((one) => leavesOf(one, words))];
}

function describeCommand({ words, command }: Leaf): string[] {
  const usage = [words, ...command.registeredArguments.map(usageOf)].join(" ");
  const its = command.options.filter((option) => !option.hidden && !isShared(option));
  return [
    subsection(usage),
    ...paragraph(asSentence(command.description())),
    ...command.registeredArguments
      .filter(({ description }) => description !== "")
      .flatMap((one) => entry(usageOf(one), withChoices(one.description, one.argChoices))),
    ...its.flatMap(({ flags, description, argChoices, mandatory }) =>
      entry(flags, `${withChoices(description, argChoices)}${mandatory ? " Required." : ""}`),
    ),
    ...example(examplesOf(command)),
  ];
}

function usageOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const withChoices = (description: string, choices: readonly string[] = []): string =>
  asSentence(choices.length === 0 ? description : `${description}: ${choices.join(", ")}`);

const asSentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.:!?]$/.test(text) ? "" : "."}`;

/** chatd.toml(5) */
function configurationPage(): string[] {
  return [
    ...headOf("chatd.toml", 5, "File Formats"),
    section("NAME"),
    "chatd.toml \\- configuration of chatd",
    section("DESCRIPTION"),
    ...paragraph(
      "chatd reads the TOML file that --config or CHATD_CONFIG names, else ./chatd.toml, else /etc/chatd/chatd.toml. " +
        "Each key is also a flag of chatd serve (log_level is --log-level) and a variable of the environment (CHATD_LOG_LEVEL). Flags take precedence over variables, and variables over the file.",
    ),
    ...paragraph(
      "Secrets cannot be flags, because others could read them on the command line. For each secret, a variable such as CHATD_SECRET_FILE can name a file that holds it.",
    ),
    ...paragraph(
      "chatd admin config print shows the values in use, and chatd admin config check tries them.",
    ),
    ...flagGroups.flatMap(({ heading, names }) => [
      section(heading.replace(/:$/, "").toUpperCase()),
      ...names.flatMap(describeOption),
    ]),
    section("SECRETS"),
    ...optionNames.filter(isSecret).flatMap(describeOption),
    section("EXAMPLE"),
    ...example([
      'host = "127.0.0.1"',
      'url = "https://chat.example.com"',
      'trusted_proxies = "127.0.0.1"',
      'data = "/var/lib/chatd"',
    ]),
    section("SEE ALSO"),
    ".BR chatd (1)",
  ];
}

function describeOption(name: OptionName): string[] {
  const { help, fallback } = options[name];
  const standard = fallback === undefined ? "" : ` Default: ${fallback}.`;
  return entry(name, `${asSentence(help)}${standard}`);
}
