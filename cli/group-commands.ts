import type { Command } from "commander";
import { withConsent } from "./consent";
import { withExamples } from "./examples";
import { withIfMissing } from "./if-missing";
import { permissionOption, withRealm } from "./options";

const withMembers = (command: Command): Command =>
  command
    .argument("<group>")
    .argument("[email...]", "people and bots")
    .option("--subgroup <name...>", "groups");

/** Adds the commands about user groups. */
export function addGroupCommands(group: Command) {
  withExamples(withRealm(group.command("list")), "chatd admin group list --system")
    .description("list the user groups, including deactivated ones")
    .option("--system", "include the system groups, which follow from people's roles")
    .action(async (options) => (await import("./admin/group")).listGroups(options));

  withExamples(
    withIfMissing(withRealm(group.command("create"))),
    "chatd admin group create backend --description 'Backend team' --member bob@example.com --if-missing",
  )
    .description("create a user group")
    .argument("<name>")
    .option("--description <text>", "what it is for", "")
    .option("--member <email...>", "its first members")
    .option("--subgroup <name...>", "its first subgroups")
    .addOption(permissionOption())
    .action(async (name, options) => (await import("./admin/group")).createGroup(name, options));

  withExamples(
    withRealm(group.command("update")),
    "chatd admin group update backend --permission can_mention_group=role:everyone",
  )
    .description("change a user group's name, description and permissions")
    .argument("<group>")
    .option("--name <name>", "its new name")
    .option("--description <text>", "what it is for")
    .addOption(permissionOption())
    .action(async (name, options) => (await import("./admin/group")).updateGroup(name, options));

  addMemberCommands(group.command("members").description("the members of a user group"));

  withExamples(
    withConsent(withRealm(group.command("deactivate"))),
    "chatd admin group deactivate backend --yes",
  )
    .description("deactivate a user group; it keeps its members")
    .argument("<group>")
    .action(async (name, options) => (await import("./admin/group")).deactivate(name, options));

  withExamples(withRealm(group.command("reactivate")), "chatd admin group reactivate backend")
    .description("reactivate a user group")
    .argument("<group>")
    .action(async (name, options) => (await import("./admin/group")).reactivate(name, options));
}

function addMemberCommands(members: Command) {
  withExamples(
    withMembers(withIfMissing(withRealm(members.command("add")))),
    "chatd admin group members add backend bob@example.com --if-missing",
  )
    .description("add people and groups to a user group")
    .action(async (name, emails, options) =>
      (await import("./admin/group")).changeMembers("add", name, emails, options),
    );

  withExamples(
    withMembers(withRealm(members.command("remove"))),
    "chatd admin group members remove backend --subgroup interns",
  )
    .description("remove people and groups from a user group")
    .action(async (name, emails, options) =>
      (await import("./admin/group")).changeMembers("remove", name, emails, options),
    );
}
