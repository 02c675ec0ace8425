import type { Command } from "commander";
import { withConsent } from "./consent";
import { withExamples } from "./examples";
import { withIfMissing } from "./if-missing";
import { withData, withRealm } from "./options";

/** Adds the commands about organizations. */
export function addRealmCommands(realm: Command) {
  withExamples(
    withIfMissing(withData(realm.command("create"))),
    "chatd admin realm create --name Acme --host chat.example.com --if-missing",
  )
    .description("create an organization")
    .requiredOption("--name <name>", "what it is called")
    .requiredOption("--host <host-name>", "the host name that clients connect to, without a port")
    .action(async (options) => (await import("./admin/realm")).createRealm(options));

  withExamples(withData(realm.command("list")), "chatd admin realm list --json")
    .description("list the organizations")
    .action(async (options) => (await import("./admin/realm")).listRealms(options));

  withExamples(withRealm(realm.command("show")), "chatd admin realm show --realm chat.example.com")
    .description("show an organization with all of its settings")
    .action(async (options) => (await import("./admin/realm")).showRealm(options));

  withExamples(
    withRealm(realm.command("dump")),
    "chatd admin realm dump",
    "chatd admin realm dump acme-dump.yaml",
  )
    .description("write an organization as a YAML file that chatd admin apply reads")
    .argument(
      "[file]",
      "a new file (mode 0600), with pictures in a folder next to it; without it, or with -, print the YAML",
    )
    .action(async (file, options) => (await import("./admin/dump")).dumpRealm(file, options));

  withExamples(
    withRealm(realm.command("update")),
    "chatd admin realm update invite_required=false can_create_groups=role:moderators",
    "chatd admin realm update 'description=Where Acme talks' default_language=de",
  )
    .description(
      "change an organization's name and settings, e.g. invite_required=false can_create_groups=role:moderators",
    )
    .argument(
      "<setting=value...>",
      "settings, as chatd admin realm show lists them; separate several groups or people by commas",
    )
    .action(async (assignments, options) =>
      (await import("./admin/realm")).updateRealm(assignments, options),
    );

  withExamples(
    withRealm(realm.command("defaults")),
    "chatd admin realm defaults",
    "chatd admin realm defaults enter_sends=true color_scheme=2",
  )
    .description(
      "show the settings that new users start with, or change some, e.g. enter_sends=true",
    )
    .argument("[setting=value...]", "a setting as in the list, and its new value")
    .action(async (assignments, options) =>
      (await import("./admin/realm")).showUserDefaults(assignments, options),
    );
  addFurtherCommands(realm);
}

function addFurtherCommands(realm: Command) {
  withExamples(
    withConsent(withRealm(realm.command("deactivate"))),
    "chatd admin realm deactivate --realm old.example.com --dry-run",
    "chatd admin realm deactivate --realm old.example.com --delete-after-days 30 --yes",
  )
    .description("deactivate an organization, so that nobody can use it")
    .option("--delete-after-days <days>", "delete its data after so many days (default: keep it)")
    .action(async (options) => (await import("./admin/realm")).deactivateRealm(options));

  withExamples(
    withRealm(realm.command("reactivate")),
    "chatd admin realm reactivate --realm old.example.com",
  )
    .description("reactivate a deactivated organization")
    .action(async (options) => (await import("./admin/realm")).reactivateRealm(options));

  withExamples(
    withRealm(realm.command("icon")),
    "chatd admin realm icon acme.png",
    "chatd admin realm icon --remove",
  )
    .description("set an organization's icon")
    .argument("[file]", "a PNG, JPEG, WebP or GIF")
    .option("--remove", "remove the current one")
    .action(async (file, options) => (await import("./admin/picture")).changeIcon(file, options));

  withExamples(withRealm(realm.command("logo")), "chatd admin realm logo acme-wide.png --night")
    .description("set an organization's logo")
    .argument("[file]", "a PNG, JPEG, WebP or GIF")
    .option("--night", "the logo for the dark theme")
    .option("--remove", "remove the current one")
    .action(async (file, options) => (await import("./admin/picture")).changeLogo(file, options));
}
