import type { Command } from "commander";
import { withConfig } from "./options";

/** Adds the commands about the push relay. */
export function addPushCommands(push: Command) {
  withConfig(push.command("register"))
    .description("register this server at the push relay, or tell it what has changed")
    .requiredOption("--contact <address>", "your e-mail address, to which the service writes")
    .option("--name <host>", "the server's name there (default: the first organization's host)")
    .option("--rotate-key", "replace the key by a new one")
    .option("--agree-to-terms", "you agree to the terms of the service")
    .action(async (options) => (await import("./admin/push")).registerServer(options));
}
