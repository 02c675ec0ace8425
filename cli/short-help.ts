import { type Command, Help, Option } from "commander";
import { helpSettings } from "./help";

/** Heading of the options that belong to the command itself. */
export const commandOptions = "Options:";

/**
 * Makes the help of a command show only the usual options, and all with `--help-all`. `further` are
 * the long names of the options that `--help` leaves out: `--drain-seconds`.
 */
export function withShortHelp(command: Command, further: ReadonlySet<string>): Command {
  let isAll = false;
  const help = new Help();
  return command
    .configureHelp({
      ...helpSettings,
      visibleOptions: (of) =>
        help.visibleOptions(of).filter(({ long }) => isAll || !further.has(long ?? "")),
    })
    .addOption(new Option("--help-all", "display help with all options").helpGroup(commandOptions))
    .addHelpText("after", () => (isAll ? "" : "\n--help-all lists all options."))
    .on("option:help-all", () => {
      isAll = true;
      command.help();
    });
}
