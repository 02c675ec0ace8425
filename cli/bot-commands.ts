import { type Command, Option } from "commander";
import { botKindsByName } from "../src/people/bots/kinds";
import { withConsent } from "./consent";
import { withExamples } from "./examples";
import { withIfMissing } from "./if-missing";
import { withRealm } from "./options";

const interfaceOption = () =>
  new Option("--interface <form>", "format of the posts; own is Zulip's").choices(["own", "slack"]);

/** Adds the commands about bots. */
export function addBotCommands(bot: Command) {
  withExamples(
    withIfMissing(withRealm(bot.command("add"))),
    "chatd admin bot add deploy --name 'Deploy bot' --owner bob@example.com --if-missing",
    "chatd admin bot add helper --name Helper --owner bob@example.com --kind outgoing-webhook --payload-url https://helper.example/hook",
  )
    .description("add a bot and print its API key")
    .argument("<short-name>", "its address is SHORT-NAME-bot@HOST")
    .requiredOption("--name <name>", "its full name")
    .requiredOption("--owner <email>", "who answers for it")
    .addOption(
      new Option("--kind <kind>", "its kind")
        .choices([...botKindsByName.keys()])
        .default("generic"),
    )
    .option("--payload-url <url>", "the URL to which an outgoing webhook posts messages")
    .addOption(interfaceOption())
    .option("--service <name>", "the service of an embedded bot: faq or standup")
    .action(async (shortName, options) => (await import("./admin/bot")).addBot(shortName, options));
  withExamples(withRealm(bot.command("list")), "chatd admin bot list")
    .description("list the bots, including deactivated ones")
    .action(async (options) => (await import("./admin/bot")).listBots(options));
  withExamples(
    withRealm(bot.command("set")),
    "chatd admin bot set deploy-bot@chat.example.com --name 'Release bot'",
  )
    .description("change a bot")
    .argument("<email>")
    .option("--name <name>", "its full name")
    .option("--short-name <name>", "its address becomes SHORT-NAME-bot@HOST")
    .option(
      "--payload-url <url>",
      "the URL to which an outgoing webhook posts messages; empty for none",
    )
    .addOption(interfaceOption())
    .action(async (email, options) => (await import("./admin/bot")).setBot(email, options));
  addFurtherCommands(bot);
}

function addFurtherCommands(bot: Command) {
  withExamples(
    withRealm(bot.command("key")),
    "chatd admin bot key deploy-bot@chat.example.com --regenerate",
  )
    .description("print a bot's API key")
    .argument("<email>")
    .option("--regenerate", "revoke it and print a new one")
    .action(async (email, options) => (await import("./admin/bot")).printKey(email, options));
  withExamples(
    withConsent(withRealm(bot.command("deactivate"))),
    "chatd admin bot deactivate deploy-bot@chat.example.com --yes",
  )
    .description(
      "deactivate a bot and end its connections; its API keys stop working until chatd admin user reactivate",
    )
    .argument("<email>")
    .option("--revoke-keys", "revoke its API keys for good")
    .action(async (email, options) => (await import("./admin/bot")).deactivate(email, options));
  withExamples(
    withRealm(bot.command("transfer")),
    "chatd admin bot transfer deploy-bot@chat.example.com eve@example.com",
  )
    .description("change the owner of a bot")
    .argument("<email>")
    .argument("<owner>", "the e-mail address of its new owner")
    .action(async (email, owner, options) =>
      (await import("./admin/bot")).transfer(email, owner, options),
    );
}
