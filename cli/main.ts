import { Command, CommanderError } from "commander";
import { version } from "../src/core/version";
import { roleArgument, roleOption, withConfig, withData, withRealm } from "./options";
import { reportError, UsageError } from "./output";

const program = new Command("chatd")
  .description("A self-hosted team chat server in one executable")
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: () => undefined });

withConfig(program.command("serve"))
  .description("run the server")
  .option("--apply <file>", "first make the organization what this YAML file declares")
  .option("--credentials <file>", "write API keys of those whom it declares to this file (mode 0600)")
  .option("--ephemeral", "keep the data in a temporary folder and remove it at the end")
  .action(async (options) => (await import("./serve")).serve(options));

const admin = program.command("admin").description("administer the data, with a server beside it or without");

withData(admin.command("apply"))
  .description("make an organization what a YAML file declares")
  .argument("<file>", "the organization's file")
  .option("--diff", "only print what would change")
  .option("--credentials <file>", "write new API keys of those whom it declares to this file (mode 0600)")
  .action(async (file, options) => (await import("./admin/apply")).applyFile(file, options));

const realm = admin.command("realm").description("organizations");

withData(realm.command("create"))
  .description("make an organization")
  .requiredOption("--name <name>", "what it is called")
  .requiredOption("--host <host>", "the host name that clients connect to, without a port")
  .action(async (options) => (await import("./admin/realm")).createRealm(options));

withData(realm.command("list"))
  .description("list the organizations")
  .action(async (options) => (await import("./admin/realm")).listRealms(options));

const user = admin.command("user").description("people and bots");

withRealm(user.command("add"))
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
  .action(async (email, role, options) => (await import("./admin/user")).changeRole(email, role, options));

withRealm(user.command("deactivate"))
  .description("end an account, its keys and its connections")
  .argument("<email>")
  .action(async (email, options) => (await import("./admin/user")).deactivate(email, options));

withRealm(user.command("reactivate"))
  .description("let somebody in again")
  .argument("<email>")
  .action(async (email, options) => (await import("./admin/user")).reactivate(email, options));

withRealm(user.command("password"))
  .description("set somebody's password, read from stdin")
  .argument("<email>")
  .option("--generate", "make one up and print it")
  .action(async (email, options) => (await import("./admin/user")).changePassword(email, options));

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

const topic = admin.command("topic").description("topics");

withRealm(topic.command("delete"))
  .description("delete all messages of a topic")
  .argument("<channel>")
  .argument("<topic>")
  .action(async (channel, name, options) => (await import("./admin/topic")).deleteTopic(channel, name, options));

/** Runs the command line and answers the exit code. */
async function main(): Promise<number> {
  try {
    await program.parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return reportError(error instanceof CommanderError ? asUsageError(error) : error, {
      json: process.argv.includes("--json"),
    });
  }
}

function asUsageError({ code, message }: CommanderError): UsageError {
  if (code === "commander.help") return new UsageError("Which command? They are listed above.");
  return new UsageError(`${message.replace(/^error: /, "")}\nSee: chatd --help`);
}

process.exit(await main());
