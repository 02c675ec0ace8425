import type { Argument, Command, Option } from "commander";
import { isDestructive } from "./consent";
import { examplesOf } from "./examples";

/** Possible values at one position of the command line: one of some words, a file, or anything. */
export interface Place {
  values: readonly string[];
  isFile: boolean;
}

export interface Flag extends Place {
  /** `--port` */
  name: string;
  description: string;
  takesValue: boolean;
}

/** A command as shells see it. */
export interface CommandNode {
  /** All words from the program's name: `chatd admin user add`. */
  words: string;
  description: string;
  commands: { name: string; description: string }[];
  flags: Flag[];
  arguments: Place[];
  /** Examples of the command from its help. */
  examples: readonly string[];
  /** Whether it is hard to undo, so that it asks first. */
  isDestructive: boolean;
}

/** The program and all of its commands, each after its parent. */
export function listCommands(command: Command, before = ""): CommandNode[] {
  const words = `${before} ${command.name()}`.trim();
  const below = command.commands.flatMap((one) => listCommands(one, words));
  return [{ words, ...describe(command) }, ...below];
}

function describe(command: Command): Omit<CommandNode, "words"> {
  const help = {
    name: "--help",
    description: "show help",
    takesValue: false,
    values: [],
    isFile: false,
  };
  return {
    description: command.description(),
    commands: command.commands.map((one) => ({ name: one.name(), description: one.description() })),
    flags: [...command.options.flatMap(describeFlag), help],
    arguments: command.registeredArguments.map(describePlace),
    examples: examplesOf(command),
    isDestructive: isDestructive(command),
  };
}

function describeFlag(option: Option): Flag[] {
  if (option.hidden || !option.long) return [];
  const { long, description, required, optional, flags } = option;
  const isFile = /<(file|folder)>/.test(flags);
  return [
    { name: long, description, takesValue: required || optional, values: valuesIn(option), isFile },
  ];
}

/** Possible values of an option: its choices, or the words in `--file-store <local|s3>`. */
const valuesIn = ({ argChoices, flags }: Option): readonly string[] =>
  argChoices ?? /<([a-z0-9]+(?:\|[a-z0-9]+)+)>/.exec(flags)?.[1]?.split("|") ?? [];

const describePlace = (argument: Argument): Place => ({
  values: argument.argChoices ?? [],
  isFile: argument.name() === "file",
});
