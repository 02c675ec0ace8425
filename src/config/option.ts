/**
 * Type of a value: `address` is a URL without slashes at its end, or `none`; `domain` is a name
 * without a port; `networks` is a list that `parseNetworks` reads.
 */
type OptionType = "text" | "address" | "domain" | "integer" | "level" | "networks" | "flag";

/** A configuration that cannot be used: each line names a place and what to do. */
export class ConfigError extends Error {}

/** Form of the address of a service, maybe with a path. */
export const webAddress = /^https?:\/\/[^?#\s]+$/i;

export type Value = string | number | boolean | undefined;

export interface Option {
  type: OptionType;
  /** The value where nobody gives one; undefined where there is none then. */
  fallback: Value;
  help: string;
  min?: number;
  max?: number;
  /** All possible values of a text. */
  values?: readonly string[];
  /** Form of a text, as an expression and in words. */
  form?: { pattern: RegExp; words: string };
  /** Is given in the environment or in the file, never on the command line, and never shown. */
  isSecret?: true;
  /**
   * Is taken over at SIGHUP, because it is read anew each time it is used. Others need a restart.
   */
  reloads?: true;
  /** Is shown by `--help`, because most people need it; others by `--help-all` alone. */
  isUsual?: true;
  /**
   * Whether a throwaway server (`serve --ephemeral`) takes it from the environment and the file, as
   * it takes each option from its own command line. It takes none that reaches things outside of
   * it, because these may be those of a real server: its files, database, people and services. A
   * secret, which no command line may have, is taken with the flag of another option.
   */
  throwawayTakesIt: boolean | { with: string };
}

/** Options about one subject, in the order in which the help lists them. */
export interface OptionGroup {
  /** Heading in the help. */
  heading: string;
  options: Readonly<Record<string, Option>>;
}
