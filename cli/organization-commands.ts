import type { Command } from "commander";
import { addAuditCommands } from "./audit-commands";
import { withConsent } from "./consent";
import { withIfMissing } from "./if-missing";
import { withRealm } from "./options";

/**
 * Adds the commands about the other parts of an organization, besides people, groups and channels.
 */
export function addOrganizationCommands(admin: Command) {
  addAuditCommands(admin.command("audit").description("who has changed what, and when"));
  addLinkifierCommands(
    admin.command("linkifier").description("patterns that become links in messages"),
  );
  addPlaygroundCommands(
    admin.command("playground").description("websites that run code of messages"),
  );
  addDomainCommands(admin.command("domain").description("domains of accepted e-mail addresses"));
  addEmojiCommands(admin.command("emoji").description("custom emoji"));
  addFieldCommands(admin.command("profile-field").description("custom profile fields"));
  addFolderCommands(admin.command("folder").description("channel folders"));
}

const withTemplates = (command: Command): Command =>
  command
    .argument("<pattern>", "a regular expression (RE2) with named groups: #(?P<id>[0-9]+)")
    .argument(
      "<template>",
      "the URL, with the named groups in braces (RFC 6570): https://tracker.example/{id}",
    )
    .option("--example <text>", "an example text that the pattern matches")
    .option("--reverse <template>", "the text that such a URL is turned back into: #{id}")
    .option("--alternative <template...>", "other URLs that are turned back into this text");

function addLinkifierCommands(linkifier: Command) {
  withRealm(linkifier.command("list"))
    .description("list the linkifiers, in the order in which they are tried")
    .action(async (options) => (await import("./admin/linkifier")).listLinkifiers(options));
  withIfMissing(withTemplates(withRealm(linkifier.command("add"))))
    .description("add a linkifier, which turns text that matches a pattern into links")
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
    .description("set the order in which the linkifiers are tried")
    .argument("<id...>", "the IDs of all of them")
    .action(async (ids, options) => (await import("./admin/linkifier")).reorder(ids, options));
}

function addPlaygroundCommands(playground: Command) {
  withRealm(playground.command("list"))
    .description("list the playgrounds")
    .action(async (options) => (await import("./admin/playground")).listPlaygrounds(options));
  withIfMissing(withRealm(playground.command("add")))
    .description("add a website that runs code of a language")
    .argument("<name>")
    .argument("<language>", "its name in Pygments: Rust")
    .argument("<template>", "its URL, with {code} in it (RFC 6570)")
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
      "accept e-mail addresses of a domain, if the organization accepts only some domains",
    )
    .argument("<domain>")
    .option("--subdomains", "accept its subdomains too")
    .action(async (name, options) => (await import("./admin/domain")).addDomain(name, options));
  withRealm(domain.command("update"))
    .description("set whether the subdomains of a domain are accepted")
    .argument("<domain>")
    .option("--subdomains", "accept them")
    .option("--no-subdomains", "do not accept them")
    .action(async (name, options) => (await import("./admin/domain")).updateDomain(name, options));
  withRealm(domain.command("remove"))
    .description("remove a domain; without any, the organization accepts all domains")
    .argument("<domain>")
    .action(async (name, options) => (await import("./admin/domain")).removeDomain(name, options));
}

function addEmojiCommands(emoji: Command) {
  withRealm(emoji.command("list"))
    .description("list the custom emoji, without deactivated ones")
    .action(async (options) => (await import("./admin/emoji")).listEmoji(options));
  withIfMissing(withRealm(emoji.command("add")))
    .description("add a custom emoji")
    .argument("<name>", "its name: lowercase letters, digits, dashes, underscores and periods")
    .argument("<file>", "its picture")
    .action(async (name, file, options) =>
      (await import("./admin/emoji")).addEmoji(name, file, options),
    );
  withRealm(emoji.command("remove"))
    .description("deactivate a custom emoji; messages that use it still show it")
    .argument("<name>")
    .action(async (name, options) => (await import("./admin/emoji")).removeEmoji(name, options));
}

const withFieldValues = (command: Command): Command =>
  command
    .option("--name <name>", "what it is called")
    .option("--hint <text>", "a hint that people see next to it")
    .option("--field-data <json>", "the choices of a dropdown, or the type of an external account")
    .option("--summary", "show it in the summary of a profile")
    .option("--required", "ask people to fill it in")
    .option("--matching", "use it when people search for a person")
    .option("--no-editable", "only administrators may change it");

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
    .option("--editable", "people may change it themselves")
    .option("--no-summary", "do not show it in the summary of a profile")
    .option("--no-required", "do not ask people to fill it in")
    .option("--no-matching", "do not use it when people search for a person")
    .action(async (name, options) =>
      (await import("./admin/profile-field")).updateField(name, options),
    );
  withConsent(withRealm(field.command("remove")))
    .description("remove a profile field, with everything that people have entered in it")
    .argument("<field>", "its name")
    .action(async (name, options) =>
      (await import("./admin/profile-field")).removeField(name, options),
    );
  withRealm(field.command("reorder"))
    .description("set the order of the profile fields")
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
    .description("create a channel folder")
    .argument("<name>")
    .option("--description <text>", "what it is for", "")
    .action(async (name, options) => (await import("./admin/folder")).createFolder(name, options));
  withRealm(folder.command("update"))
    .description("change a folder's name or description")
    .argument("<folder>")
    .option("--name <name>", "its new name")
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
    .description("set the order of the folders")
    .argument("<folder...>", "their names")
    .action(async (names, options) => (await import("./admin/folder")).reorder(names, options));
}
