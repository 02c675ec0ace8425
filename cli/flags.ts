import { type Flags, hasPassword, isSecret, keyOf, type OptionName, optionNames } from "../src/config";
import type { CommonOptions } from "./options";
import { UsageError } from "./output";

/** The configuration that can be given on the command line: all but what is secret, which others could read there. */
export const flagNames = optionNames.filter((name) => !isSecret(name));

/** `log_level` is `--log-level`, and `logLevel` among what was read of the command line. */
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

/** The keys of what `chatd serve` takes with a value and without one, by how they are written. */
const valued = new Map([
  ...flagNames.map((name) => [flagOf(name), keyOf(name)] as const),
  ...["config", "apply", "credentials"].map((flag) => [flag, flag] as const),
]);
const switches = new Set(["json", "ephemeral"]);

/**
 * The options of a plain `chatd serve --port 8080 --json`; undefined for everything else, which is read with care and has
 * its errors told elsewhere: to load what does that takes a tenth of a start.
 */
export function readPlainServe([command, ...words]: readonly string[]): CommonOptions | undefined {
  if (command !== "serve") return undefined;
  const options: CommonOptions = {};
  for (let at = 0; at < words.length; at++) {
    const flag = words[at]?.startsWith("--") ? words[at]?.slice(2) : undefined;
    if (flag === undefined) return undefined;
    const key = valued.get(flag);
    const value = words[at + 1];
    if (switches.has(flag)) options[flag] = true;
    else if (key === undefined || value === undefined || value.startsWith("-")) return undefined;
    else options[key] = words[++at];
  }
  return options;
}
