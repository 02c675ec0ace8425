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
    .description("list the user groups, deactivated ones too")
    .option("--system", "also the groups that follow from the roles")
    .action(async (options) => (await import("./admin/group")).listGroups(options));

  withIfMissing(withRealm(group.command("create")))
    .description("make a user group")
    .argument("<name>")
    .option("--description <text>", "what it is for", "")
    .option("--member <email...>", "who is in it from the start")
    .option("--subgroup <name...>", "which groups are in it from the start")
    .addOption(permissionOption())
    .action(async (name, options) => (await import("./admin/group")).createGroup(name, options));

  withRealm(group.command("update"))
    .description("rename or describe a user group, or give its permissions to others")
    .argument("<group>")
    .option("--name <name>", "what it is to be called")
    .option("--description <text>", "what it is for")
    .addOption(permissionOption())
    .action(async (name, options) => (await import("./admin/group")).updateGroup(name, options));

  const members = group.command("members").description("who is in a user group");

  withMembers(withIfMissing(withRealm(members.command("add"))))
    .description("put people and groups into a user group")
    .action(async (name, emails, options) =>
      (await import("./admin/group")).changeMembers("add", name, emails, options),
    );

  withMembers(withRealm(members.command("remove")))
    .description("take people and groups out of a user group")
    .action(async (name, emails, options) =>
      (await import("./admin/group")).changeMembers("remove", name, emails, options),
    );

  withConsent(withRealm(group.command("deactivate")))
    .description("take a user group out of use; it keeps its members")
    .argument("<group>")
    .action(async (name, options) => (await import("./admin/group")).deactivate(name, options));

  withRealm(group.command("reactivate"))
    .description("put a user group back into use")
    .argument("<group>")
    .action(async (name, options) => (await import("./admin/group")).reactivate(name, options));
}
