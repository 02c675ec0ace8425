import type { Command } from "commander";
import { withExamples } from "./examples";
import { withConfig } from "./options";

/** Adds the commands about outgoing mail. */
export function addMailCommands(mail: Command) {
  withExamples(withConfig(mail.command("test")), "chatd admin mail test bob@example.com")
    .description("send a test mail now, and show the mail server's replies and how long it takes")
    .argument("<address>", "the address to send it to")
    .option("--realm <host-name>", "the host name of the organization, if there are several")
    .action(async (address, options) => (await import("./admin/mail")).tryMail(address, options));
}
