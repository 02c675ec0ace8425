import { type Command, Option } from "commander";
import { checks } from "./doctor/finding";
import { withConfig } from "./options";

/** `chatd admin config` and `chatd admin doctor`: check the setup of a server. */
export function addConfigCommands(admin: Command): void {
  const config = admin.command("config").description("the configuration");

  withConfig(config.command("print"))
    .description("print the configuration in use, each value with its source")
    .action(async (options) => (await import("./admin/config")).printConfig(options));

  withConfig(config.command("check"))
    .description(
      "check whether the server would start with this configuration, and try its connections",
    )
    .option("--offline", "do not connect to database, file store, mail relay and push relay")
    .action(async (options) => (await import("./admin/config")).checkConfig(options));

  withConfig(admin.command("doctor"))
    .description(
      "look for common problems of the machine, the configuration, the connections and the data; exits with 1 if it finds one",
    )
    .option("--offline", "do not connect to anything but the database")
    .option(
      "--unit <file>",
      "path of the systemd unit (default: chatd.service in systemd's folders)",
    )
    .addOption(new Option("--except <check...>", "checks to skip").choices(checks))
    .action(async (options) => (await import("./admin/doctor")).examine(options));
}
