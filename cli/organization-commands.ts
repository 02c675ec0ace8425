import type { Command } from "commander";
import { addAuditCommands } from "./audit-commands";
import { withConsent } from "./consent";
import { withExamples } from "./examples";
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
  withExamples(withRealm(linkifier.command("list")), "chatd admin linkifier list")
    .description("list the linkifiers, in the order in which they are tried")
    .action(async (options) => (await import("./admin/linkifier")).listLinkifiers(options));
  withExamples(
    withIfMissing(withTemplates(withRealm(linkifier.command("add")))),
    "chatd admin linkifier add '#(?P<id>[0-9]+)' 'https://tracker.example/{id}' --if-missing",
  )
    .description("add a linkifier, which turns text that matches a pattern into links")
    .action(async (...given) =>
      (await import("./admin/linkifier")).addLinkifier(given[0], given[1], given[2]),
    );
  withExamples(
    withTemplates(withRealm(linkifier.command("update")).argument("<id>", "its ID, from the list")),
    "chatd admin linkifier update 3 '#(?P<id>[0-9]+)' 'https://issues.example/{id}'",
  )
    .description("change a linkifier")
    .action(async (...given) =>
      (await import("./admin/linkifier")).updateLinkifier(given[0], given[1], given[2], given[3]),
    );
  withExamples(withRealm(linkifier.command("remove")), "chatd admin linkifier remove 3")
    .description("remove a linkifier")
    .argument("<id>", "its ID, from the list")
    .action(async (id, options) =>
      (await import("./admin/linkifier")).removeLinkifier(id, options),
    );
  withExamples(withRealm(linkifier.command("reorder")), "chatd admin linkifier reorder 3 1 2")
    .description("set the order in which the linkifiers are tried")
    .argument("<id...>", "the IDs of all of them")
    .action(async (ids, options) => (await import("./admin/linkifier")).reorder(ids, options));
}

function addPlaygroundCommands(playground: Command) {
  withExamples(withRealm(playground.command("list")), "chatd admin playground list")
    .description("list the playgrounds")
    .action(async (options) => (await import("./admin/playground")).listPlaygrounds(options));
  withExamples(
    withIfMissing(withRealm(playground.command("add"))),
    "chatd admin playground add 'Rust Playground' Rust 'https://play.rust-lang.org/?code={code}'",
  )
    .description("add a website that runs code of a language")
    .argument("<name>")
    .argument("<language>", "its name in Pygments: Rust")
    .argument("<template>", "its URL, with {code} in it (RFC 6570)")
    .action(async (name, language, template, options) =>
      (await import("./admin/playground")).addPlayground(name, language, template, options),
    );
  withExamples(withRealm(playground.command("remove")), "chatd admin playground remove 3")
    .description("remove a playground")
    .argument("<id>", "its ID, from the list")
    .action(async (id, options) =>
      (await import("./admin/playground")).removePlayground(id, options),
    );
}

function addDomainCommands(domain: Command) {
  withExamples(withRealm(domain.command("list")), "chatd admin domain list")
    .description("list the domains")
    .action(async (options) => (await import("./admin/domain")).listDomains(options));
  withExamples(
    withIfMissing(withRealm(domain.command("add"))),
    "chatd admin domain add example.com --subdomains --if-missing",
  )
    .description(
      "accept e-mail addresses of a domain, if the organization accepts only some domains",
    )
    .argument("<domain>")
    .option("--subdomains", "accept its subdomains too")
    .action(async (name, options) => (await import("./admin/domain")).addDomain(name, options));
  withExamples(
    withRealm(domain.command("update")),
    "chatd admin domain update example.com --no-subdomains",
  )
    .description("set whether the subdomains of a domain are accepted")
    .argument("<domain>")
    .option("--subdomains", "accept them")
    .option("--no-subdomains", "do not accept them")
    .action(async (name, options) => (await import("./admin/domain")).updateDomain(name, options));
  withExamples(withRealm(domain.command("remove")), "chatd admin domain remove example.com")
    .description("remove a domain; without any, the organization accepts all domains")
    .argument("<domain>")
    .action(async (name, options) => (await import("./admin/domain")).removeDomain(name, options));
}

function addEmojiCommands(emoji: Command) {
  withExamples(withRealm(emoji.command("list")), "chatd admin emoji list")
    .description("list the custom emoji, without deactivated ones")
    .action(async (options) => (await import("./admin/emoji")).listEmoji(options));
  withExamples(
    withIfMissing(withRealm(emoji.command("add"))),
    "chatd admin emoji add party-parrot parrot.gif --if-missing",
  )
    .description("add a custom emoji")
    .argument("<name>", "its name: lowercase letters, digits, dashes, underscores and periods")
    .argument("<file>", "its picture")
    .action(async (name, file, options) =>
      (await import("./admin/emoji")).addEmoji(name, file, options),
    );
  withExamples(withRealm(emoji.command("remove")), "chatd admin emoji remove party-parrot")
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
  withExamples(withRealm(field.command("list")), "chatd admin profile-field list")
    .description("list the profile fields in their order")
    .action(async (options) => (await import("./admin/profile-field")).listFields(options));
  withExamples(
    withFieldValues(withIfMissing(withRealm(field.command("add")))),
    "chatd admin profile-field add short_text --name Team --hint 'Whom do you work with?' --summary",
    `chatd admin profile-field add external_account --name GitHub --field-data '{"subtype": "github"}'`,
  )
    .description("add a profile field")
    .argument(
      "<type>",
      "short_text, paragraph, dropdown, date, link, users, external_account or pronouns",
    )
    .action(async (type, options) =>
      (await import("./admin/profile-field")).addField(type, options),
    );
  withExamples(
    withFieldValues(withRealm(field.command("update"))),
    "chatd admin profile-field update Team --required",
  )
    .description("change a profile field")
    .argument("<field>", "its name")
    .option("--editable", "people may change it themselves")
    .option("--no-summary", "do not show it in the summary of a profile")
    .option("--no-required", "do not ask people to fill it in")
    .option("--no-matching", "do not use it when people search for a person")
    .action(async (name, options) =>
      (await import("./admin/profile-field")).updateField(name, options),
    );
  withExamples(
    withConsent(withRealm(field.command("remove"))),
    "chatd admin profile-field remove Team --dry-run",
  )
    .description("remove a profile field, with everything that people have entered in it")
    .argument("<field>", "its name")
    .action(async (name, options) =>
      (await import("./admin/profile-field")).removeField(name, options),
    );
  withExamples(
    withRealm(field.command("reorder")),
    "chatd admin profile-field reorder Team Birthday",
  )
    .description("set the order of the profile fields")
    .argument("<field...>", "their names")
    .action(async (names, options) =>
      (await import("./admin/profile-field")).reorder(names, options),
    );
}

function addFolderCommands(folder: Command) {
  withExamples(withRealm(folder.command("list")), "chatd admin folder list --archived")
    .description("list the folders in their order")
    .option("--archived", "include archived ones")
    .action(async (options) => (await import("./admin/folder")).listFolders(options));
  withExamples(
    withIfMissing(withRealm(folder.command("create"))),
    "chatd admin folder create Projects --if-missing",
  )
    .description("create a channel folder")
    .argument("<name>")
    .option("--description <text>", "what it is for", "")
    .action(async (name, options) => (await import("./admin/folder")).createFolder(name, options));
  withExamples(
    withRealm(folder.command("update")),
    "chatd admin folder update Projects --name 'Running projects'",
  )
    .description("change a folder's name or description")
    .argument("<folder>")
    .option("--name <name>", "its new name")
    .option("--description <text>", "what it is for")
    .action(async (name, options) => (await import("./admin/folder")).updateFolder(name, options));
  for (const [verb, description] of [
    ["archive", "take a folder without channels out of use"],
    ["unarchive", "put a folder back into use"],
  ] as const) {
    withExamples(withRealm(folder.command(verb)), `chatd admin folder ${verb} Projects`)
      .description(description)
      .argument("<folder>")
      .action(async (name, options) =>
        (await import("./admin/folder")).archiveFolder(name, verb === "archive", options),
      );
  }
  withExamples(withRealm(folder.command("reorder")), "chatd admin folder reorder Projects Social")
    .description("set the order of the folders")
    .argument("<folder...>", "their names")
    .action(async (names, options) => (await import("./admin/folder")).reorder(names, options));
}
