import type { Command } from "commander";
import { withConsent } from "./consent";
import { withRealm } from "./options";

/**
 * Adds the commands about the browsers in which people are signed in, and about deleting accounts.
 */
export function addSessionCommands(user: Command) {
  withRealm(user.command("sessions"))
    .description("list the browsers in which somebody is signed in")
    .argument("<email>")
    .option("--end", "sign them out of all browsers")
    .action(async (email, options) =>
      (await import("./admin/session")).showSessions(email, options),
    );
  withRealm(user.command("devices"))
    .description("list the devices and browsers that get somebody's notifications")
    .argument("<email>")
    .option("--remove", "remove all of them")
    .action(async (email, options) => (await import("./admin/device")).showDevices(email, options));
  withConsent(withRealm(user.command("delete")))
    .description("delete a person for good: everything except their messages is removed")
    .argument("<email>")
    .action(async (email, options) =>
      (await import("./admin/session")).deletePerson(email, options),
    );
}
