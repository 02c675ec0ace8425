import type { Command } from "commander";
import { withConfig } from "./options";

/** Adds the commands about outgoing mail. */
export function addMailCommands(mail: Command) {
  withConfig(mail.command("test"))
    .description("send a mail at once, and show what the mail server says and how long it takes")
    .argument("<address>", "whom to send it to")
    .option("--realm <host>", "the organization, where there are several")
    .action(async (address, options) => (await import("./admin/mail")).tryMail(address, options));
}
