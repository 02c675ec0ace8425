import {
  type Flags,
  hasPassword,
  isSecret,
  keyOf,
  type OptionName,
  optionGroups,
  optionNames,
} from "../src/config/config";
import type { CommonOptions } from "./options";
import { UsageError } from "./output";

/**
 * The options that can be given on the command line: all except secrets, which others could read
 * there.
 */
export const flagNames = optionNames.filter((name) => !isSecret(name));

/** The flags about each subject, with the heading of the help. */
export const flagGroups = optionGroups.map(({ heading, names }) => ({
  heading: `${heading}:`,
  names: names.filter((name) => !isSecret(name)),
}));

/** `log_level` is `--log-level`, and `logLevel` among the parsed options. */
export const flagOf = (name: OptionName) => name.replaceAll("_", "-");

/** The configuration among the options of a command. */
export function flagsOf(given: CommonOptions): Flags {
  const flags: Flags = {};
  for (const name of flagNames) {
    const value = given[keyOf(name)];
    if (typeof value === "string") flags[name] = value;
  }
  if (flags.database !== undefined && hasPassword(flags.database)) {
    throw new UsageError(
      "--database has a password in it, which others on this machine could read in the list of processes. " +
        "Give the address as CHATD_DATABASE, or as database in the file that --config names.",
    );
  }
  return flags;
}
