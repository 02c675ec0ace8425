import type { Command } from "commander";

/**
 * Adds `--if-missing` to a command that adds something, so that it succeeds if that exists already.
 */
export const withIfMissing = (command: Command): Command =>
  command.option("--if-missing", "if it exists already, change nothing and exit with 0");
