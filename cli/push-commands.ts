import type { Command } from "commander";
import { withExamples } from "./examples";
import { withConfig } from "./options";

/** Adds the commands about the push relay. */
export function addPushCommands(push: Command) {
  withExamples(
    withConfig(push.command("register")),
    "chatd admin push register --contact ops@example.com --agree-to-terms",
    "chatd admin push register --contact ops@example.com --agree-to-terms --rotate-key",
  )
    .description("register this server at the push relay, or update its registration")
    .requiredOption("--contact <address>", "your e-mail address, to which the service writes")
    .option(
      "--name <host>",
      "the server's name at the relay (default: the first organization's host)",
    )
    .option("--rotate-key", "replace the key with a new one")
    .option("--agree-to-terms", "agree to the terms of the relay")
    .action(async (options) => (await import("./admin/push")).registerServer(options));
}
