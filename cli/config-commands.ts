import { type Command, Option } from "commander";
import { traps } from "./doctor/finding";
import { withConfig } from "./options";

/** `chatd admin config` and `chatd admin doctor`: whether all is as a server needs it. */
export function addConfigCommands(admin: Command): void {
  const config = admin.command("config").description("the configuration");

  withConfig(config.command("print"))
    .description("print the configuration as it takes effect, each value with its source")
    .action(async (options) => (await import("./admin/config")).printConfig(options));

  withConfig(config.command("check"))
    .description("say what would keep the server from starting, and try its connections")
    .option("--offline", "do not connect to database, file store, mail relay and push relay")
    .action(async (options) => (await import("./admin/config")).checkConfig(options));

  withConfig(admin.command("doctor"))
    .description(
      "look for all that is known to go wrong: machine, configuration, connections, data; exits with 1 if it finds something",
    )
    .option("--offline", "do not connect to anything but the database")
    .option("--unit <file>", "the unit of systemd that runs the server (default: chatd.service)")
    .addOption(new Option("--except <trap...>", "what is meant to be as it is").choices(traps))
    .action(async (options) => (await import("./admin/doctor")).examine(options));
}
