import { Help, type Option } from "commander";

const help = new Help();

/** Settings of the help of all commands, which marks the options that a command requires. */
export const helpSettings = {
  optionDescription: (option: Option) =>
    `${help.optionDescription(option)}${option.mandatory ? " (required)" : ""}`,
};
