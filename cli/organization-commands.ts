import type { Command } from "commander";
import { addAuditCommands } from "./audit-commands";
import { withConsent } from "./consent";
import { withIfMissing } from "./if-missing";
import { withRealm } from "./options";

/** Adds the commands about what an organization has beside people, groups and channels. */
export function addOrganizationCommands(admin: Command) {
  addAuditCommands(admin.command("audit").description("who has changed what, and when"));
  addLinkifierCommands(admin.command("linkifier").description("what is turned into links"));
  addPlaygroundCommands(admin.command("playground").description("places where code can be run"));
  addDomainCommands(
    admin.command("domain").description("domains whose e-mail addresses are accepted"),
  );
  addEmojiCommands(admin.command("emoji").description("the organization's own emoji"));
  addFieldCommands(
    admin.command("profile-field").description("what people can tell of themselves"),
  );
  addFolderCommands(admin.command("folder").description("folders of channels"));
}

const withTemplates = (command: Command): Command =>
  command
    .argument("<pattern>", "a regular expression (RE2) with named groups: #(?P<id>[0-9]+)")
    .argument(
      "<template>",
      "the address, with the groups in braces (RFC 6570): https://tracker.example/{id}",
    )
    .option("--example <text>", "something that it matches")
    .option("--reverse <template>", "what an address is turned back into: #{id}")
    .option("--alternative <template...>", "other addresses that are turned back into it");

function addLinkifierCommands(linkifier: Command) {
  withRealm(linkifier.command("list"))
    .description("list the linkifiers, in the order in which they are tried")
    .action(async (options) => (await import("./admin/linkifier")).listLinkifiers(options));
  withIfMissing(withTemplates(withRealm(linkifier.command("add"))))
    .description("turn text that matches a pattern into links")
    .action(async (...given) =>
      (await import("./admin/linkifier")).addLinkifier(given[0], given[1], given[2]),
    );
  withTemplates(withRealm(linkifier.command("update")).argument("<id>", "its ID, from the list"))
    .description("change a linkifier")
    .action(async (...given) =>
      (await import("./admin/linkifier")).updateLinkifier(given[0], given[1], given[2], given[3]),
    );
  withRealm(linkifier.command("remove"))
    .description("remove a linkifier")
    .argument("<id>", "its ID, from the list")
    .action(async (id, options) =>
      (await import("./admin/linkifier")).removeLinkifier(id, options),
    );
  withRealm(linkifier.command("reorder"))
    .description("say in which order the linkifiers are tried")
    .argument("<id...>", "the IDs of all of them")
    .action(async (ids, options) => (await import("./admin/linkifier")).reorder(ids, options));
}

function addPlaygroundCommands(playground: Command) {
  withRealm(playground.command("list"))
    .description("list the playgrounds")
    .action(async (options) => (await import("./admin/playground")).listPlaygrounds(options));
  withIfMissing(withRealm(playground.command("add")))
    .description("add a place where code of a language can be run")
    .argument("<name>")
    .argument("<language>", "as Pygments calls it: Rust")
    .argument("<template>", "its address, with {code} in it (RFC 6570)")
    .action(async (name, language, template, options) =>
      (await import("./admin/playground")).addPlayground(name, language, template, options),
    );
  withRealm(playground.command("remove"))
    .description("remove a playground")
    .argument("<id>", "its ID, from the list")
    .action(async (id, options) =>
      (await import("./admin/playground")).removePlayground(id, options),
    );
}

function addDomainCommands(domain: Command) {
  withRealm(domain.command("list"))
    .description("list the domains")
    .action(async (options) => (await import("./admin/domain")).listDomains(options));
  withIfMissing(withRealm(domain.command("add")))
    .description(
      "accept e-mail addresses of a domain, where the organization is restricted to some",
    )
    .argument("<domain>")
    .option("--subdomains", "of its subdomains too")
    .action(async (name, options) => (await import("./admin/domain")).addDomain(name, options));
  withRealm(domain.command("update"))
    .description("say whether subdomains of a domain count")
    .argument("<domain>")
    .option("--subdomains", "they count")
    .option("--no-subdomains", "they do not")
    .action(async (name, options) => (await import("./admin/domain")).updateDomain(name, options));
  withRealm(domain.command("remove"))
    .description("remove a domain; with the last one the organization is not restricted any more")
    .argument("<domain>")
    .action(async (name, options) => (await import("./admin/domain")).removeDomain(name, options));
}

function addEmojiCommands(emoji: Command) {
  withRealm(emoji.command("list"))
    .description("list the emoji that are in use")
    .action(async (options) => (await import("./admin/emoji")).listEmoji(options));
  withIfMissing(withRealm(emoji.command("add")))
    .description("add an emoji")
    .argument("<name>", "small letters, digits, dashes, underscores and periods")
    .argument("<file>", "its picture")
    .action(async (name, file, options) =>
      (await import("./admin/emoji")).addEmoji(name, file, options),
    );
  withRealm(emoji.command("remove"))
    .description("remove an emoji; it is still shown where it was used")
    .argument("<name>")
    .action(async (name, options) => (await import("./admin/emoji")).removeEmoji(name, options));
}

const withFieldValues = (command: Command): Command =>
  command
    .option("--name <name>", "what it is called")
    .option("--hint <text>", "what people read beside it")
    .option("--field-data <json>", "the choices of a dropdown, or the kind of an external account")
    .option("--summary", "shown in the summary of a profile")
    .option("--required", "people are asked to fill it in")
    .option("--matching", "people are found by it")
    .option("--no-editable", "only administrators fill it in");

function addFieldCommands(field: Command) {
  withRealm(field.command("list"))
    .description("list the profile fields in their order")
    .action(async (options) => (await import("./admin/profile-field")).listFields(options));
  withFieldValues(withIfMissing(withRealm(field.command("add"))))
    .description("add a profile field")
    .argument(
      "<type>",
      "short_text, paragraph, dropdown, date, link, users, external_account or pronouns",
    )
    .action(async (type, options) =>
      (await import("./admin/profile-field")).addField(type, options),
    );
  withFieldValues(withRealm(field.command("update")))
    .description("change a profile field")
    .argument("<field>", "its name")
    .option("--editable", "people fill it in themselves")
    .option("--no-summary", "not shown in the summary of a profile")
    .option("--no-required", "people need not fill it in")
    .option("--no-matching", "people are not found by it")
    .action(async (name, options) =>
      (await import("./admin/profile-field")).updateField(name, options),
    );
  withConsent(withRealm(field.command("remove")))
    .description("remove a profile field with all that people have told in it")
    .argument("<field>", "its name")
    .action(async (name, options) =>
      (await import("./admin/profile-field")).removeField(name, options),
    );
  withRealm(field.command("reorder"))
    .description("say which profile fields come first")
    .argument("<field...>", "their names")
    .action(async (names, options) =>
      (await import("./admin/profile-field")).reorder(names, options),
    );
}

function addFolderCommands(folder: Command) {
  withRealm(folder.command("list"))
    .description("list the folders in their order")
    .option("--archived", "include archived ones")
    .action(async (options) => (await import("./admin/folder")).listFolders(options));
  withIfMissing(withRealm(folder.command("create")))
    .description("make a folder of channels")
    .argument("<name>")
    .option("--description <text>", "what it is for", "")
    .action(async (name, options) => (await import("./admin/folder")).createFolder(name, options));
  withRealm(folder.command("update"))
    .description("rename or describe a folder")
    .argument("<folder>")
    .option("--name <name>", "what it is to be called")
    .option("--description <text>", "what it is for")
    .action(async (name, options) => (await import("./admin/folder")).updateFolder(name, options));
  for (const [verb, description] of [
    ["archive", "take a folder without channels out of use"],
    ["unarchive", "put a folder back into use"],
  ] as const) {
    withRealm(folder.command(verb))
      .description(description)
      .argument("<folder>")
      .action(async (name, options) =>
        (await import("./admin/folder")).archiveFolder(name, verb === "archive", options),
      );
  }
  withRealm(folder.command("reorder"))
    .description("say which folders come first")
    .argument("<folder...>", "their names")
    .action(async (names, options) => (await import("./admin/folder")).reorder(names, options));
}
