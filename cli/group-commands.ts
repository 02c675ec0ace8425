import type { Command } from "commander";
import { withConsent } from "./consent";
import { withIfMissing } from "./if-missing";
import { permissionOption, withRealm } from "./options";

const withMembers = (command: Command): Command =>
  command
    .argument("<group>")
    .argument("[email...]", "people and bots")
    .option("--subgroup <name...>", "groups");

/** Adds the commands about user groups. */
export function addGroupCommands(group: Command) {
  withRealm(group.command("list"))
    .description("list the user groups, including deactivated ones")
    .option("--system", "include the system groups, which follow from people's roles")
    .action(async (options) => (await import("./admin/group")).listGroups(options));

  withIfMissing(withRealm(group.command("create")))
    .description("create a user group")
    .argument("<name>")
    .option("--description <text>", "what it is for", "")
    .option("--member <email...>", "its first members")
    .option("--subgroup <name...>", "its first subgroups")
    .addOption(permissionOption())
    .action(async (name, options) => (await import("./admin/group")).createGroup(name, options));

  withRealm(group.command("update"))
    .description("change a user group's name, description and permissions")
    .argument("<group>")
    .option("--name <name>", "its new name")
    .option("--description <text>", "what it is for")
    .addOption(permissionOption())
    .action(async (name, options) => (await import("./admin/group")).updateGroup(name, options));

  const members = group.command("members").description("the members of a user group");

  withMembers(withIfMissing(withRealm(members.command("add"))))
    .description("add people and groups to a user group")
    .action(async (name, emails, options) =>
      (await import("./admin/group")).changeMembers("add", name, emails, options),
    );

  withMembers(withRealm(members.command("remove")))
    .description("remove people and groups from a user group")
    .action(async (name, emails, options) =>
      (await import("./admin/group")).changeMembers("remove", name, emails, options),
    );

  withConsent(withRealm(group.command("deactivate")))
    .description("deactivate a user group; it keeps its members")
    .argument("<group>")
    .action(async (name, options) => (await import("./admin/group")).deactivate(name, options));

  withRealm(group.command("reactivate"))
    .description("reactivate a user group")
    .argument("<group>")
    .action(async (name, options) => (await import("./admin/group")).reactivate(name, options));
}
