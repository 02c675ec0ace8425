import type { Command } from "commander";

const byCommand = new WeakMap<Command, readonly string[]>();

/** Adds examples to the help of a command. */
export function withExamples(command: Command, ...lines: string[]): Command {
  byCommand.set(command, lines);
  const heading = lines.length === 1 ? "Example:" : "Examples:";
  return command.addHelpText(
    "after",
    ["", heading, ...lines.map((line) => `  ${line}`)].join("\n"),
  );
}

/** The examples in the help of a command. */
export const examplesOf = (command: Command): readonly string[] => byCommand.get(command) ?? [];
