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
import { writeOutput } from "./stdout";
import { addWebhookCommands } from "./webhook-commands";

/** `chatd admin`: all commands with which an operator manages the data. */
export const admin = new Command("admin")
  .description("administer the data, whether or not a server is running")
  .exitOverride()
  .configureOutput({ outputError: () => undefined, writeOut: writeOutput });

withData(admin.command("apply"))
  .description("change an organization to match a YAML file")
  .argument("<file>", "the organization's file")
  .option("--diff", "only print what would change; exits with 3 if something would")
  .option(
    "--prune",
    "also deactivate or archive what the file does not name, in the sections that it has",
  )
  .option("--yes", "prune without asking; needed in scripts, where nobody can answer")
  .option(
    "--credentials <file>",
    "write new API keys of the declared users to this file (mode 0600)",
  )
  .option(
    "--login-links <file>",
    "write to this file (mode 0600) a login link for each declared person who has no password and has never signed in",
  )
  .action(async (file, options) => (await import("./admin/apply")).applyFile(file, options));

const realm = admin.command("realm").description("organizations");

withIfMissing(withData(realm.command("create")))
  .description("create an organization")
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
    "a new file (mode 0600), with pictures in a folder next to it; without it, or with -, print the YAML",
  )
  .action(async (file, options) => (await import("./admin/dump")).dumpRealm(file, options));

withRealm(realm.command("update"))
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

withRealm(realm.command("defaults"))
  .description("show the settings that new users start with, or change some, e.g. enter_sends=true")
  .argument("[setting=value...]", "a setting as in the list, and its new value")
  .action(async (assignments, options) =>
    (await import("./admin/realm")).showUserDefaults(assignments, options),
  );

withConsent(withRealm(realm.command("deactivate")))
  .description("deactivate an organization, so that nobody can use it")
  .option("--delete-after-days <days>", "delete its data after so many days (default: keep it)")
  .action(async (options) => (await import("./admin/realm")).deactivateRealm(options));

withRealm(realm.command("reactivate"))
  .description("reactivate a deactivated organization")
  .action(async (options) => (await import("./admin/realm")).reactivateRealm(options));

withRealm(realm.command("icon"))
  .description("set an organization's icon")
  .argument("[file]", "a PNG, JPEG, WebP or GIF")
  .option("--remove", "remove the current one")
  .action(async (file, options) => (await import("./admin/picture")).changeIcon(file, options));

withRealm(realm.command("logo"))
  .description("set an organization's logo")
  .argument("[file]", "a PNG, JPEG, WebP or GIF")
  .option("--night", "the logo for the dark theme")
  .option("--remove", "remove the current one")
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
  .description("change somebody's role")
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
  .description(
    "deactivate an account and end its sessions; its API keys stop working until it is reactivated",
  )
  .argument("<email>")
  .option("--comment <text>", "tell them by mail, with this text")
  .option("--revoke-keys", "revoke its API keys for good")
  .action(async (email, options) => (await import("./admin/user")).deactivate(email, options));

withRealm(user.command("reactivate"))
  .description("reactivate somebody's account")
  .argument("<email>")
  .action(async (email, options) => (await import("./admin/user")).reactivate(email, options));

withRealm(user.command("password"))
  .description("set somebody's password, read from stdin")
  .argument("<email>")
  .option("--generate", "generate a password and print it")
  .option("--end-keys", "revoke their API keys too")
  .action(async (email, options) => (await import("./admin/user")).changePassword(email, options));

withRealm(user.command("avatar"))
  .description("set somebody's profile picture")
  .argument("<email>")
  .argument("[file]", "a PNG, JPEG, WebP or GIF")
  .option("--remove", "remove the current one")
  .action(async (email, file, options) =>
    (await import("./admin/picture")).changeAvatar(email, file, options),
  );

withRealm(user.command("login-link"))
  .description("print a link that signs somebody in once, in a browser")
  .argument("<email>")
  .option("--expires <time>", "how long the link works: 30m, 12h, 7d", "1h")
  .option("--url <value>", "the public address of the server, if the configuration has none")
  .action(async (email, options) =>
    (await import("./admin/sign-in")).printLoginLink(email, options),
  );

withRealm(user.command("unlock"))
  .description("let somebody sign in again after too many failed attempts")
  .argument("<email>")
  .action(async (email, options) => (await import("./admin/sign-in")).unlock(email, options));

const invite = admin.command("invite").description("invitations");

withRealm(invite.command("create"))
  .description("invite people, and print the link by which each of them joins")
  .argument("[email...]")
  .option("--reusable", "one link by which anybody may join")
  .addOption(roleOption().makeOptionMandatory(false).default("member"))
  .option("--channel <name...>", "channels to subscribe them to")
  .option(
    "--no-default-channels",
    "do not subscribe them to the default channels; guests never are",
  )
  .option("--group <name...>", "user groups to add them to")
  .option("--expires <time>", "how long the link works: 30m, 12h, 7d, never", "10d")
  .option("--welcome <text>", "a welcome message, instead of the organization's own")
  .option("--from <email>", "the person who invites them (default: the oldest owner)")
  .option("--url <value>", "the public address of the server, if the configuration has none")
  .action(async (emails, options) =>
    (await import("./admin/invite")).createInvitations(emails, options),
  );

withRealm(invite.command("list"))
  .description("list the invitations that can still be accepted")
  .action(async (options) => (await import("./admin/invite")).listAllInvitations(options));

withRealm(invite.command("renew"))
  .description("print a new link for an invited address; the old link stops working")
  .argument("<id>", "its ID, from the list")
  .option("--url <value>", "the public address of the server, if the configuration has none")
  .action(async (id, options) => (await import("./admin/invite")).renew(id, options));

withRealm(invite.command("revoke"))
  .description("revoke an invitation, so that its link stops working")
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
  .description("revoke an API key and end the connections that use it")
  .argument("<id>", "its ID, from the list")
  .action(async (id, options) => (await import("./admin/api-key")).revokeKey(id, options));

addGroupCommands(admin.command("group").description("user groups"));
addChannelCommands(admin.command("channel").description("channels"));
addDefaultGroupCommands(
  admin
    .command("default-group")
    .description("groups of channels, one of which new people may choose"),
);
addTopicCommands(admin.command("topic").description("topics"));
addOrganizationCommands(admin);
addSessionCommands(user);

addBotCommands(admin.command("bot").description("bots and their settings"));
addWebhookCommands(admin.command("webhook").description("incoming and outgoing webhooks"));

addMailCommands(admin.command("mail").description("outgoing mail"));
addPushCommands(admin.command("push").description("notifications on mobile devices"));

const jobs = admin.command("jobs").description("background jobs");

withData(jobs.command("list"))
  .description("list waiting jobs, and jobs that failed for good with their last errors")
  .option("--failed", "only jobs that failed for good")
  .action(async (options) => (await import("./admin/jobs")).listJobs(options));

withData(jobs.command("retry"))
  .description("try jobs again now")
  .argument("<id...>", "their IDs, from the list")
  .action(async (ids, options) => (await import("./admin/jobs")).retryJobs(ids, options));

withConsent(withData(jobs.command("delete")))
  .description("delete jobs without doing them")
  .argument("<id...>", "their IDs, from the list")
  .action(async (ids, options) => (await import("./admin/jobs")).deleteJobs(ids, options));

addArchiveCommands(admin);

withRealm(admin.command("stats"))
  .description(
    "show counts and sizes of everything, and how many people and bots are active (uses of API keys may be missing for up to ten minutes)",
  )
  .action(async (options) => (await import("./admin/stats")).showStats(options));

withData(admin.command("check"))
  .description(
    "check the database, the search index and files while servers run; exits with 1 if it finds a problem",
  )
  .option("--repair", "rebuild the search index")
  .option("--all", "name all missing files instead of the first 20 of each organization")
  .action(async (options) => (await import("./admin/check")).check(options));

withData(admin.command("files").description("uploaded files").command("move"))
  .description("move all files to the configured file store, while servers run")
  .requiredOption("--to <place>", "s3 or local: the configured value of file_store")
  .action(async (options) => (await import("./admin/files")).move(options));

addBackupCommands(admin);

addConfigCommands(admin);

/** Names of examples without a command, which are mistakes; a test reports them. */
export const strayExamples = addExamples(admin);
