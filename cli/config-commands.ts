import { type Command, Option } from "commander";
import { checks } from "./doctor/finding";
import { withExamples } from "./examples";
import { withConfig } from "./options";

/** `chatd admin config` and `chatd admin doctor`: check the setup of a server. */
export function addConfigCommands(admin: Command): void {
  const config = admin.command("config").description("the configuration");

  withExamples(
    withConfig(config.command("print")),
    "chatd admin config print --config /etc/chatd/chatd.toml",
  )
    .description("print the configuration in use, each value with its source")
    .action(async (options) => (await import("./admin/config")).printConfig(options));

  withExamples(withConfig(config.command("check")), "chatd admin config check --offline")
    .description(
      "check whether the server would start with this configuration, and try its connections",
    )
    .option("--offline", "do not connect to database, file store, mail relay and push relay")
    .action(async (options) => (await import("./admin/config")).checkConfig(options));

  withExamples(
    withConfig(admin.command("doctor")),
    "chatd admin doctor --config /etc/chatd/chatd.toml",
    "chatd admin doctor --offline",
  )
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
