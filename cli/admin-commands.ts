import { Command } from "commander";
import { addExamples } from "./admin-examples";
import { addArchiveCommands } from "./archive-commands";
import { addBackupCommands } from "./backup-commands";
import { addBotCommands } from "./bot-commands";
import { addChannelCommands, addDefaultGroupCommands, addTopicCommands } from "./channel-commands";
import { addConfigCommands } from "./config-commands";
import { withConsent } from "./consent";
import { addGroupCommands } from "./group-commands";
import { withIfMissing } from "./if-missing";
import { addMailCommands } from "./mail-commands";
import { roleArgument, roleOption, withData, withRealm } from "./options";
import { addOrganizationCommands } from "./organization-commands";
import { addPushCommands } from "./push-commands";
import { addSessionCommands } from "./session-commands";
import { addWebhookCommands } from "./webhook-commands";

/** `chatd admin`: everything that an operator does to the data. */
export const admin = new Command("admin")
  .description("administer the data, with a server beside it or without")
  .exitOverride()
  .configureOutput({ outputError: () => undefined });

withData(admin.command("apply"))
  .description("change an organization to match a YAML file")
  .argument("<file>", "the organization's file")
  .option("--diff", "only print what would change: ends with 3 if something would")
  .option("--prune", "deactivate or archive what the parts of the file do not name")
  .option("--yes", "prune without asking: needed where nobody is at a terminal")
  .option(
    "--credentials <file>",
    "write new API keys of the declared users to this file (mode 0600)",
  )
  .option(
    "--login-links <file>",
    "write a link for each declared person who has no password and never signed in (mode 0600)",
  )
  .action(async (file, options) => (await import("./admin/apply")).applyFile(file, options));

const realm = admin.command("realm").description("organizations");

withIfMissing(withData(realm.command("create")))
  .description("make an organization")
  .requiredOption("--name <name>", "what it is called")
  .requiredOption("--host <host>", "the host name that clients connect to, without a port")
  .action(async (options) => (await import("./admin/realm")).createRealm(options));

withData(realm.command("list"))
  .description("list the organizations")
  .action(async (options) => (await import("./admin/realm")).listRealms(options));

withRealm(realm.command("show"))
  .description("show an organization with all of its settings")
  .action(async (options) => (await import("./admin/realm")).showRealm(options));

withRealm(realm.command("dump"))
  .description("write an organization as a YAML file that chatd admin apply reads")
  .argument(
    "[file]",
    "a new file (mode 0600), with pictures in a folder beside it; else it is printed",
  )
  .action(async (file, options) => (await import("./admin/dump")).dumpRealm(file, options));

withRealm(realm.command("update"))
  .description(
    "change an organization's name and settings, e.g. invite_required=false can_create_groups=role:moderators",
  )
  .argument(
    "<setting=value...>",
    "names as the protocol has them; groups and people with commas between",
  )
  .action(async (assignments, options) =>
    (await import("./admin/realm")).updateRealm(assignments, options),
  );

withRealm(realm.command("defaults"))
  .description("show the settings that new users start with, or change some, e.g. enter_sends=true")
  .argument("[setting=value...]", "what to change, as it is listed")
  .action(async (assignments, options) =>
    (await import("./admin/realm")).showUserDefaults(assignments, options),
  );

withConsent(withRealm(realm.command("deactivate")))
  .description("end an organization: nobody can do anything in it any more")
  .option("--delete-after-days <days>", "delete its data then (default: keep it)")
  .action(async (options) => (await import("./admin/realm")).deactivateRealm(options));

withRealm(realm.command("reactivate"))
  .description("bring a deactivated organization back")
  .action(async (options) => (await import("./admin/realm")).reactivateRealm(options));

withRealm(realm.command("icon"))
  .description("give an organization an icon")
  .argument("[file]", "a PNG, JPEG, WebP or GIF")
  .option("--remove", "remove the one that it has")
  .action(async (file, options) => (await import("./admin/picture")).changeIcon(file, options));

withRealm(realm.command("logo"))
  .description("give an organization a logo")
  .argument("[file]", "a PNG, JPEG, WebP or GIF")
  .option("--night", "for dark screens")
  .option("--remove", "remove the one that it has")
  .action(async (file, options) => (await import("./admin/picture")).changeLogo(file, options));

const user = admin.command("user").description("people and bots");

withIfMissing(withRealm(user.command("add")))
  .description("add a person")
  .argument("<email>")
  .requiredOption("--name <name>", "their full name")
  .addOption(roleOption())
  .option("--password-stdin", "read their password from stdin")
  .action(async (email, options) => (await import("./admin/user")).addUser(email, options));

withRealm(user.command("list"))
  .description("list people and bots")
  .action(async (options) => (await import("./admin/user")).listUsers(options));

withRealm(user.command("role"))
  .description("give somebody another role")
  .argument("<email>")
  .addArgument(roleArgument())
  .action(async (email, role, options) =>
    (await import("./admin/user")).changeRole(email, role, options),
  );

withRealm(user.command("update"))
  .description("change somebody's name or e-mail address")
  .argument("<email>")
  .option("--name <name>", "their full name")
  .option("--email <email>", "their new address")
  .action(async (email, options) => (await import("./admin/user")).updateUser(email, options));

withConsent(withRealm(user.command("deactivate")))
  .description("end an account and its connections; its API keys are dead until it is reactivated")
  .argument("<email>")
  .option("--comment <text>", "tell them by mail, with these words")
  .option("--revoke-keys", "end its API keys for good")
  .action(async (email, options) => (await import("./admin/user")).deactivate(email, options));

withRealm(user.command("reactivate"))
  .description("let somebody in again")
  .argument("<email>")
  .action(async (email, options) => (await import("./admin/user")).reactivate(email, options));

withRealm(user.command("password"))
  .description("set somebody's password, read from stdin")
  .argument("<email>")
  .option("--generate", "make one up and print it")
  .option("--end-keys", "end their API keys too")
  .action(async (email, options) => (await import("./admin/user")).changePassword(email, options));

withRealm(user.command("avatar"))
  .description("give somebody a picture")
  .argument("<email>")
  .argument("[file]", "a PNG, JPEG, WebP or GIF")
  .option("--remove", "remove the one that they have")
  .action(async (email, file, options) =>
    (await import("./admin/picture")).changeAvatar(email, file, options),
  );

withRealm(user.command("login-link"))
  .description("print a link that signs somebody in once, in a browser")
  .argument("<email>")
  .option("--expires <time>", "how long it works: 30m, 12h, 7d", "1h")
  .option("--url <value>", "the public address of the server, where the configuration has none")
  .action(async (email, options) =>
    (await import("./admin/sign-in")).printLoginLink(email, options),
  );

withRealm(user.command("unlock"))
  .description("let somebody sign in again after too many failures")
  .argument("<email>")
  .action(async (email, options) => (await import("./admin/sign-in")).unlock(email, options));

const invite = admin.command("invite").description("invitations");

withRealm(invite.command("create"))
  .description("invite people, and print the link that each of them joins by")
  .argument("[email...]")
  .option("--reusable", "one link that anybody may join by")
  .addOption(roleOption().makeOptionMandatory(false).default("member"))
  .option("--channel <name...>", "channels that they come into")
  .option("--no-default-channels", "they do not come into the default channels; guests never do")
  .option("--group <name...>", "user groups that they come into")
  .option("--expires <time>", "how long it works: 30m, 12h, 7d, never", "10d")
  .option("--welcome <text>", "what they are told first, in place of the organization's own words")
  .option("--from <email>", "in whose name (default: the oldest owner)")
  .option("--url <value>", "the public address of the server, where the configuration has none")
  .action(async (emails, options) =>
    (await import("./admin/invite")).createInvitations(emails, options),
  );

withRealm(invite.command("list"))
  .description("list the invitations that can still be accepted")
  .action(async (options) => (await import("./admin/invite")).listAllInvitations(options));

withRealm(invite.command("renew"))
  .description("print a new link for an invited address; the one before does not work any more")
  .argument("<id>", "its ID, from the list")
  .option("--url <value>", "the public address of the server, where the configuration has none")
  .action(async (id, options) => (await import("./admin/invite")).renew(id, options));

withRealm(invite.command("revoke"))
  .description("withdraw an invitation: its link does not work any more")
  .argument("<id>", "its ID, from the list")
  .action(async (id, options) => (await import("./admin/invite")).revoke(id, options));

const apiKey = admin.command("api-key").description("API keys");

withRealm(apiKey.command("issue"))
  .description("issue a new API key and print it")
  .argument("<email>")
  .option("--label <label>", "what it is for", "command line")
  .action(async (email, options) => (await import("./admin/api-key")).issueKey(email, options));

withRealm(apiKey.command("list"))
  .description("list somebody's API keys")
  .argument("<email>")
  .action(async (email, options) => (await import("./admin/api-key")).listKeys(email, options));

withRealm(apiKey.command("revoke"))
  .description("end an API key and the connections opened with it")
  .argument("<id>", "its ID, from the list")
  .action(async (id, options) => (await import("./admin/api-key")).revokeKey(id, options));

addGroupCommands(admin.command("group").description("user groups"));
addChannelCommands(admin.command("channel").description("channels"));
addDefaultGroupCommands(
  admin.command("default-group").description("groups of channels that newcomers may choose"),
);
addTopicCommands(admin.command("topic").description("topics"));
addOrganizationCommands(admin);
addSessionCommands(user);

addBotCommands(admin.command("bot").description("bots, and how they are reached"));
addWebhookCommands(
  admin.command("webhook").description("posts from other services, and posts to them"),
);

addMailCommands(admin.command("mail").description("mail that the server sends"));
addPushCommands(admin.command("push").description("notifications on mobile devices"));

const jobs = admin.command("jobs").description("background work");

withData(jobs.command("list"))
  .description(
    "list jobs that are still to be done, and jobs that failed for good with their last errors",
  )
  .option("--failed", "only jobs that failed for good")
  .action(async (options) => (await import("./admin/jobs")).listJobs(options));

withData(jobs.command("retry"))
  .description("try jobs again now")
  .argument("<id...>", "their IDs, from the list")
  .action(async (ids, options) => (await import("./admin/jobs")).retryJobs(ids, options));

withConsent(withData(jobs.command("delete")))
  .description("take jobs off the list without doing them")
  .argument("<id...>", "their IDs, from the list")
  .action(async (ids, options) => (await import("./admin/jobs")).deleteJobs(ids, options));

addArchiveCommands(admin);

withRealm(admin.command("stats"))
  .description(
    "show how much there is of everything, and how many people and bots use it (by API keys up to ten minutes ago)",
  )
  .action(async (options) => (await import("./admin/stats")).showStats(options));

withData(admin.command("check"))
  .description(
    "look through database, search index and files while servers go on; exits with 1 if it finds a problem",
  )
  .option("--repair", "have the search index made anew")
  .action(async (options) => (await import("./admin/check")).check(options));

withData(admin.command("files").description("what people have uploaded").command("move"))
  .description("move all files to where new ones go, while servers run")
  .requiredOption("--to <place>", "s3 or local: the value of file_store")
  .action(async (options) => (await import("./admin/files")).move(options));

addBackupCommands(admin);

addConfigCommands(admin);

/** Names of examples that no command has: a mistake, which a test finds. */
export const strayExamples = addExamples(admin);
