import type { Command } from "commander";
import { withExamples } from "./examples";
import { withRealm } from "./options";

/** Adds the commands about what other services post here, and about what is posted to them. */
export function addWebhookCommands(webhook: Command) {
  withExamples(
    withRealm(webhook.command("test")),
    "chatd admin webhook test helper-bot@chat.example.com --message 'Are you there?'",
  )
    .description("post a message to an outgoing webhook, and show the request and the response")
    .argument("<bot>", "its e-mail address")
    .option("--message <text>", "the text of the message", "Hello!")
    .action(async (bot, options) =>
      (await import("./admin/webhook-test")).testWebhook(bot, options),
    );
  addTemplateCommands(
    webhook
      .command("template")
      .description("templates that turn JSON of other services into messages"),
  );
  addSecretCommands(webhook.command("secret").description("secrets that sign the posts to a bot"));
}

function addTemplateCommands(template: Command) {
  withExamples(withRealm(template.command("list")), "chatd admin webhook template list")
    .description("list the organization's templates")
    .action(async (options) => (await import("./admin/webhook")).listTemplates(options));
  withExamples(
    withRealm(template.command("set")),
    "chatd admin webhook template set alerts '{service|alerts}' '**{title}**: {description}'",
  )
    .description(
      "add or change a template, which turns posts to /api/v1/external/NAME into messages",
    )
    .argument("<name>", "its name, which is the last part of the address")
    .argument("<topic>", "e.g. '{service|alerts}'")
    .argument(
      "<content>",
      "e.g. '**{title}**: {#items}\\n* {name} ({count|1}){/items}'; \\n ends a line",
    )
    .action(async (...given) =>
      (await import("./admin/webhook")).setTemplate(given[0], given[1], given[2], given[3]),
    );
  withExamples(withRealm(template.command("remove")), "chatd admin webhook template remove alerts")
    .description("remove a template, so that posts to its address are refused")
    .argument("<name>")
    .action(async (name, options) =>
      (await import("./admin/webhook")).removeTemplate(name, options),
    );
}

function addSecretCommands(secret: Command) {
  withExamples(
    withRealm(secret.command("list")),
    "chatd admin webhook secret list deploy-bot@chat.example.com",
  )
    .description("list the integrations whose posts to a bot must be signed")
    .argument("<bot>", "its e-mail address")
    .action(async (bot, options) => (await import("./admin/webhook")).listSecrets(bot, options));
  withExamples(
    withRealm(secret.command("set")),
    "chatd admin webhook secret set deploy-bot@chat.example.com github < secret.txt",
  )
    .description(
      "set the secret that an integration's posts to a bot must be signed with, read from stdin",
    )
    .argument("<bot>", "its e-mail address")
    .argument(
      "<integration>",
      "a service that signs its posts, e.g. github, stripe or trello (docs/webhooks.md lists them)",
    )
    .action(async (bot, name, options) =>
      (await import("./admin/webhook")).setSecret(bot, name, options),
    );
  withExamples(
    withRealm(secret.command("remove")),
    "chatd admin webhook secret remove deploy-bot@chat.example.com github",
  )
    .description("remove the secret, so that an integration's posts to a bot need no signature")
    .argument("<bot>", "its e-mail address")
    .argument("<integration>")
    .action(async (bot, name, options) =>
      (await import("./admin/webhook")).removeSecret(bot, name, options),
    );
}
