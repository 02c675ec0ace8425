import { Command, Option } from "commander";
import { addArchiveCommands } from "./archive-commands";
import { addBackupCommands } from "./backup-commands";
import { addBotCommands } from "./bot-commands";
import { addChannelCommands, addDefaultGroupCommands, addTopicCommands } from "./channel-commands";
import { addConfigCommands } from "./config-commands";
import { withConsent } from "./consent";
import { withExamples } from "./examples";
import { addGroupCommands } from "./group-commands";
import { helpSettings } from "./help";
import { addMailCommands } from "./mail-commands";
import { withData, withRealm } from "./options";
import { addOrganizationCommands } from "./organization-commands";
import { addPushCommands } from "./push-commands";
import { addRealmCommands } from "./realm-commands";
import { addSessionCommands } from "./session-commands";
import { writeOutput } from "./stdout";
import { addInviteCommands, addKeyCommands, addUserCommands } from "./user-commands";
import { addWebhookCommands } from "./webhook-commands";

/** `chatd admin`: all commands with which an operator manages the data. */
export const admin = new Command("admin")
  .description("administer the data, whether or not a server is running")
  .exitOverride()
  .configureHelp(helpSettings)
  .configureOutput({ outputError: () => undefined, writeOut: writeOutput });

withExamples(
  withData(admin.command("apply")),
  "chatd admin apply acme.yaml --diff",
  "chatd admin apply acme.yaml --credentials keys.json",
  "chatd admin apply acme.yaml --login-links links.json",
  "chatd admin apply acme.yaml --prune --yes",
)
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
    "write new API keys of the declared users to this file (mode 0600); those of an earlier file end",
  )
  .option(
    "--login-links <file>",
    "write to this file (mode 0600) a login link for each declared person who has no password and has never signed in",
  )
  .action(async (file, options) => (await import("./admin/apply")).applyFile(file, options));

addRealmCommands(admin.command("realm").description("organizations"));

const user = admin.command("user").description("people and bots");
addUserCommands(user);
addInviteCommands(admin.command("invite").description("invitations"));
addKeyCommands(admin.command("api-key").description("API keys"));
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

withExamples(withData(jobs.command("list")), "chatd admin jobs list --failed")
  .description("list waiting jobs, and jobs that failed for good with their last errors")
  .option("--failed", "only jobs that failed for good")
  .action(async (options) => (await import("./admin/jobs")).listJobs(options));

withExamples(withData(jobs.command("retry")), "chatd admin jobs retry 12 13")
  .description("try jobs again now")
  .argument("<id...>", "their IDs, from the list")
  .action(async (ids, options) => (await import("./admin/jobs")).retryJobs(ids, options));

withExamples(withConsent(withData(jobs.command("delete"))), "chatd admin jobs delete 12 --yes")
  .description("delete jobs without doing them")
  .argument("<id...>", "their IDs, from the list")
  .action(async (ids, options) => (await import("./admin/jobs")).deleteJobs(ids, options));

addArchiveCommands(admin);

withExamples(
  withRealm(admin.command("stats")),
  "chatd admin stats",
  "chatd admin stats --realm chat.example.com --json",
)
  .description(
    "show counts and sizes of everything, and how many people and bots are active (uses of API keys may be missing for up to ten minutes)",
  )
  .action(async (options) => (await import("./admin/stats")).showStats(options));

withExamples(withData(admin.command("check")), "chatd admin check", "chatd admin check --repair")
  .description(
    "check the database, the search index and files while servers run; exits with 1 if it finds a problem",
  )
  .option("--repair", "rebuild the search index")
  .option("--all", "name all missing files instead of the first 20 of each organization")
  .action(async (options) => (await import("./admin/check")).check(options));

const files = admin.command("files").description("uploaded files");

withExamples(withData(files.command("move")), "chatd admin files move --to s3")
  .description("move all files to the configured file store, while servers run")
  .addOption(
    new Option("--to <place>", "the configured value of file_store")
      .choices(["local", "s3"])
      .makeOptionMandatory(),
  )
  .action(async (options) => (await import("./admin/files")).move(options));

addBackupCommands(admin);

addConfigCommands(admin);
