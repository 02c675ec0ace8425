import { Argument, type Command, Option } from "commander";
import { type Flags, type OptionName, options } from "../src/config";
import { roleNames } from "../src/core/role";

/** What every command takes. */
export interface CommonOptions {
  json?: boolean;
  config?: string;
  [flag: string]: string | boolean | undefined;
}

/** What a command about one organization takes. */
export interface RealmOptions extends CommonOptions {
  realm?: string;
}

const isOptionName = (name: string): name is OptionName => Object.hasOwn(options, name);
const optionNames = Object.keys(options).filter(isOptionName);

/** The configuration that can be given on the command line: all but the secret, which others could read there. */
const flagNames = optionNames.filter((name) => name !== "secret");

/** `log_level` is `--log-level`, and `logLevel` among what commander has read. */
const flagOf = (name: OptionName) => name.replaceAll("_", "-");
const keyOf = (name: OptionName) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function addFlags(command: Command, names: readonly OptionName[]): Command {
  for (const name of names) {
    const { help, fallback } = options[name];
    const shown = fallback === undefined ? help : `${help} (default: ${fallback})`;
    command.addOption(new Option(`--${flagOf(name)} <value>`, shown));
  }
  command.option("--config <file>", "TOML file with the same options");
  return command.option("--json", "print JSON");
}

/** Lets a command take the whole configuration. */
export const withConfig = (command: Command): Command => addFlags(command, flagNames);

/** Lets a command take what says where the data is. */
export const withData = (command: Command): Command => addFlags(command, ["data", "database"]);

/** Lets a command take the data and the organization in it. */
export const withRealm = (command: Command): Command =>
  withData(command).option("--realm <host>", "the organization, where there are several");

/** The configuration among the options of a command. */
export function flagsOf(given: CommonOptions): Flags {
  const flags: Flags = {};
  for (const name of flagNames) {
    const value = given[keyOf(name)];
    if (typeof value === "string") flags[name] = value;
  }
  return flags;
}

export const roleArgument = () => new Argument("<role>", "the new role").choices(roleNames);
export const roleOption = () =>
  new Option("--role <role>", "what they may do").choices(roleNames).makeOptionMandatory();
