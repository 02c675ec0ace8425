import type { Command } from "commander";
import { withConsent } from "./consent";
import { withExamples } from "./examples";
import { withRealm } from "./options";

/**
 * Adds the commands about the browsers in which people are signed in, and about deleting accounts.
 */
export function addSessionCommands(user: Command) {
  withExamples(
    withRealm(user.command("sessions")),
    "chatd admin user sessions bob@example.com",
    "chatd admin user sessions bob@example.com --end",
  )
    .description("list the browsers in which somebody is signed in")
    .argument("<email>")
    .option("--end", "sign them out of all browsers")
    .action(async (email, options) =>
      (await import("./admin/session")).showSessions(email, options),
    );
  withExamples(
    withRealm(user.command("devices")),
    "chatd admin user devices bob@example.com --remove",
  )
    .description("list the devices and browsers that get somebody's notifications")
    .argument("<email>")
    .option("--remove", "remove all of them")
    .action(async (email, options) => (await import("./admin/device")).showDevices(email, options));
  withExamples(
    withConsent(withRealm(user.command("delete"))),
    "chatd admin user delete bob@example.com --dry-run",
    "chatd admin user delete bob@example.com --yes",
  )
    .description("delete a person for good: everything except their messages is removed")
    .argument("<email>")
    .action(async (email, options) =>
      (await import("./admin/session")).deletePerson(email, options),
    );
}
