import { Argument, type Command, Option } from "commander";
import { topicsPolicies } from "../src/channels/topics-policy";
import { isUsual, type OptionName, options, valuesOf } from "../src/config/config";
import { roleNames } from "../src/core/rights/role";
import { flagGroups, flagNames, flagOf } from "./flags";
import { commandOptions, withShortHelp } from "./short-help";

/** Options of every command. */
export interface CommonOptions {
  json?: boolean;
  config?: string;
  [flag: string]: string | boolean | undefined;
}

/** Options of a command about one organization. */
export interface RealmOptions extends CommonOptions {
  realm?: string;
}

const flags = new Map<string, Option>();

/**
 * Adds an option of the configuration. Commands share the option objects, because every start
 * declares all commands, and separate objects would take a large part of a short command's time.
 */
function addFlag(command: Command, name: OptionName, heading: string) {
  const key = `${name} ${heading}`;
  const flag = flags.get(key) ?? makeFlag(name, heading);
  flags.set(key, flag);
  command.addOption(flag);
}

function makeFlag(name: OptionName, heading: string): Option {
  const { help, fallback } = options[name];
  const shown = fallback === undefined ? help : `${help} (default: ${fallback})`;
  return new Option(`--${flagOf(name)} <${placeholderOf(name)}>`, shown).helpGroup(heading);
}

const units = /(?:^|_)(seconds|minutes|days|mib|bytes|percent|port)(?:_|$)/;

/** The word that stands for the value of an option in the help: `<seconds>`. */
function placeholderOf(name: OptionName): string {
  const { type } = options[name];
  const values = valuesOf(options[name]);
  if (values.length > 0) return values.join("|");
  if (type === "integer") return units.exec(name)?.[1] ?? "number";
  if (type === "address") return "url";
  if (name === "data") return "folder";
  return /_file$|^(?:smtp_)?tls_/.test(name) ? "file" : "value";
}

const configOption = new Option(
  "--config <file>",
  "TOML file with the same options (default: ./chatd.toml, else /etc/chatd/chatd.toml)",
);
const jsonOption = new Option("--json", "print JSON");
const realmOption = new Option(
  "--realm <host-name>",
  "the host name of the organization, if there are several",
);

/** Whether an option is one of the configuration, or of most commands. */
export const isShared = (option: Option): boolean =>
  [configOption, jsonOption, realmOption, ...flags.values()].includes(option) ||
  option.long === "--help-all";

const addCommonOptions = (command: Command): Command =>
  command.addOption(configOption).addOption(jsonOption);

/** Adds all configuration options to a command. Its help shows the usual options, by subject. */
export function withConfig(command: Command): Command {
  addCommonOptions(command);
  for (const { heading, names } of flagGroups)
    for (const name of names) addFlag(command, name, heading);
  const further = flagNames.filter((name) => !isUsual(name));
  return withShortHelp(command, new Set(further.map((name) => `--${flagOf(name)}`)));
}

/** Adds the options that say where the data is. */
export function withData(command: Command): Command {
  for (const name of ["data", "database"] as const) addFlag(command, name, commandOptions);
  return addCommonOptions(command);
}

/** Adds the options for the data and the organization in it. */
export const withRealm = (command: Command): Command => withData(command).addOption(realmOption);

export const roleArgument = () => new Argument("<role>", "the new role").choices(roleNames);
export const roleOption = () =>
  new Option("--role <role>", "their role").choices(roleNames).makeOptionMandatory();

export const permissionOption = () =>
  new Option(
    "--permission <name=holders...>",
    "who holds one of its permissions: names of groups and e-mail addresses, separated by commas; a wrong name is answered with the names of all permissions",
  );

/** Adds the settings of a channel as options, for creating and for changing it. */
export const withChannelSettings = (command: Command): Command =>
  command
    .option("--description <text>", "what it is for")
    .option("--shared-history", "new subscribers of a private channel may read earlier messages")
    .option("--default", "subscribe new people to it")
    .addOption(
      new Option(
        "--topics-policy <policy>",
        "whether messages need a topic, may lack one, or never have one",
      ).choices(topicsPolicies),
    )
    .option("--folder <name>", "its channel folder; empty for none")
    .option(
      "--retention <days>",
      "the number of days for which messages are kept, or unlimited, or realm_default",
    )
    .addOption(permissionOption());

/** The shells that commands can be completed in. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export const shellArgument = () => new Argument("<shell>", "the shell").choices(shells);

/** The pages of the manual: chatd(1) and chatd.toml(5). */
const manualPages = ["chatd", "chatd.toml"] as const;
export type ManualPage = (typeof manualPages)[number];

export const manualArgument = () =>
  new Argument("[page]", "the page").choices(manualPages).default("chatd");
