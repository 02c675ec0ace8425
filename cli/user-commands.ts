import { type Command, Option } from "commander";
import { withConsent } from "./consent";
import { withExamples } from "./examples";
import { withIfMissing } from "./if-missing";
import { roleArgument, roleOption, withRealm } from "./options";

/** Adds the commands about people. */
export function addUserCommands(user: Command) {
  withExamples(
    withIfMissing(withRealm(user.command("add"))),
    "chatd admin user add bob@example.com --name 'Bob Miller' --role member --if-missing",
    "pass show chat/bob | chatd admin user add bob@example.com --name Bob --role member --password-stdin",
  )
    .description("add a person")
    .argument("<email>")
    .requiredOption("--name <name>", "their full name")
    .addOption(roleOption())
    .option("--password-stdin", "read their password from stdin")
    .action(async (email, options) => (await import("./admin/user")).addUser(email, options));

  addListCommand(user);

  withExamples(
    withRealm(user.command("role")),
    "chatd admin user role bob@example.com administrator",
  )
    .description("change somebody's role")
    .argument("<email>")
    .addArgument(roleArgument())
    .action(async (email, role, options) =>
      (await import("./admin/user")).changeRole(email, role, options),
    );

  withExamples(
    withRealm(user.command("update")),
    "chatd admin user update bob@example.com --email robert@example.com",
  )
    .description("change somebody's name or e-mail address")
    .argument("<email>")
    .option("--name <name>", "their full name")
    .option("--email <email>", "their new address")
    .action(async (email, options) => (await import("./admin/user")).updateUser(email, options));

  withExamples(
    withConsent(withRealm(user.command("deactivate"))),
    "chatd admin user deactivate bob@example.com --dry-run",
    "chatd admin user deactivate bob@example.com --revoke-keys --yes",
  )
    .description(
      "deactivate an account and end its sessions; its API keys stop working until it is reactivated",
    )
    .argument("<email>")
    .option("--comment <text>", "tell them by mail, with this text")
    .option("--revoke-keys", "revoke its API keys for good")
    .action(async (email, options) => (await import("./admin/user")).deactivate(email, options));

  withExamples(withRealm(user.command("reactivate")), "chatd admin user reactivate bob@example.com")
    .description("reactivate somebody's account")
    .argument("<email>")
    .action(async (email, options) => (await import("./admin/user")).reactivate(email, options));
  addFurtherCommands(user);
}

function addFurtherCommands(user: Command) {
  withExamples(
    withRealm(user.command("password")),
    "chatd admin user password bob@example.com",
    "chatd admin user password bob@example.com --generate --revoke-keys",
  )
    .description("set somebody's password, read from stdin")
    .argument("<email>")
    .option("--generate", "generate a password and print it")
    .option("--revoke-keys", "revoke their API keys too")
    .addOption(new Option("--end-keys").implies({ revokeKeys: true }).hideHelp())
    .action(async (email, options) =>
      (await import("./admin/user")).changePassword(email, options),
    );

  withExamples(withRealm(user.command("avatar")), "chatd admin user avatar bob@example.com bob.jpg")
    .description("set somebody's profile picture")
    .argument("<email>")
    .argument("[file]", "a PNG, JPEG, WebP or GIF")
    .option("--remove", "remove the current one")
    .action(async (email, file, options) =>
      (await import("./admin/picture")).changeAvatar(email, file, options),
    );

  withExamples(
    withRealm(user.command("login-link")),
    "chatd admin user login-link bob@example.com --expires 12h",
  )
    .description("print a link that signs somebody in once, in a browser")
    .argument("<email>")
    .option("--expires <time>", "how long the link works: 30m, 12h, 7d", "1h")
    .option("--url <value>", "the public address of the server, if the configuration has none")
    .action(async (email, options) =>
      (await import("./admin/sign-in")).printLoginLink(email, options),
    );

  withExamples(withRealm(user.command("unlock")), "chatd admin user unlock bob@example.com")
    .description("let somebody sign in again after too many failed attempts")
    .argument("<email>")
    .action(async (email, options) => (await import("./admin/sign-in")).unlock(email, options));
}

/** Adds the commands about invitations. */
export function addInviteCommands(invite: Command) {
  withExamples(
    withRealm(invite.command("create")),
    "chatd admin invite create bob@example.com eve@example.com --channel general --expires 7d",
    "chatd admin invite create --reusable --role guest --expires never",
  )
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
    .option(
      "--from <email>",
      "the person who invites them (default: the owner with the oldest account)",
    )
    .option("--url <value>", "the public address of the server, if the configuration has none")
    .action(async (emails, options) =>
      (await import("./admin/invite")).createInvitations(emails, options),
    );

  withExamples(withRealm(invite.command("list")), "chatd admin invite list")
    .description("list the invitations that can still be accepted")
    .action(async (options) => (await import("./admin/invite")).listAllInvitations(options));

  withExamples(withRealm(invite.command("renew")), "chatd admin invite renew 17")
    .description("print a new link for an invited address; the old link stops working")
    .argument("<id>", "its ID, from the list")
    .option("--url <value>", "the public address of the server, if the configuration has none")
    .action(async (id, options) => (await import("./admin/invite")).renew(id, options));

  withExamples(withRealm(invite.command("revoke")), "chatd admin invite revoke 17")
    .description("revoke an invitation, so that its link stops working")
    .argument("<id>", "its ID, from the list")
    .action(async (id, options) => (await import("./admin/invite")).revoke(id, options));
}

/** Adds the commands about API keys. */
export function addKeyCommands(apiKey: Command) {
  withExamples(
    withRealm(apiKey.command("issue")),
    "chatd admin api-key issue bob@example.com --label laptop",
  )
    .description("issue a new API key and print it")
    .argument("<email>")
    .option("--label <label>", "what it is for", "command line")
    .action(async (email, options) => (await import("./admin/api-key")).issueKey(email, options));

  withExamples(withRealm(apiKey.command("list")), "chatd admin api-key list bob@example.com")
    .description("list somebody's API keys")
    .argument("<email>")
    .action(async (email, options) => (await import("./admin/api-key")).listKeys(email, options));

  withExamples(withRealm(apiKey.command("revoke")), "chatd admin api-key revoke 42")
    .description("revoke an API key and end the connections that use it")
    .argument("<id>", "its ID, from the list")
    .action(async (id, options) => (await import("./admin/api-key")).revokeKey(id, options));
}

function addListCommand(user: Command) {
  withExamples(
    withRealm(user.command("list")),
    "chatd admin user list",
    "chatd admin user list --channel design",
    "chatd admin user list --group backend --json",
  )
    .description("list people and bots, including deactivated ones")
    .option("--channel <name>", "only active ones that are subscribed to this channel")
    .option("--group <name>", "only active ones in this user group or its subgroups")
    .action(async (options) => (await import("./admin/user")).listUsers(options));
}
