import * as webhookSecrets from "../../src/bots/incoming-webhooks/secrets";
import * as webhookTemplates from "../../src/bots/incoming-webhooks/templates";
import type { Context } from "../../src/core/context";
import { loadAccount } from "../../src/moving/organization/lookup";
import { withOperator } from "../operator";
import type { RealmOptions } from "../options";
import { formatTable, printResult } from "../output";
import { readPassword } from "../password";

const listAll = async (ctx: Context) =>
  (await webhookTemplates.getWebhookTemplates(ctx)).webhook_templates;

/** `chatd admin webhook template list` */
export async function listTemplates(options: RealmOptions) {
  const templates = await withOperator(options, listAll);
  const rows = templates.map(({ name, topic, content }) => [
    name,
    topic,
    content.replaceAll("\n", "⏎"),
  ]);
  printResult(
    options,
    { webhook_templates: templates },
    formatTable(["NAME", "TOPIC", "CONTENT"], rows),
  );
}

/**
 * `chatd admin webhook template set NAME TOPIC CONTENT`: adds or changes a template; `\n` ends a
 * line of the content.
 */
export async function setTemplate(
  name: string,
  topic: string,
  given: string,
  options: RealmOptions,
) {
  const template = { name, topic, content: given.replaceAll("\\n", "\n") };
  await withOperator(options, (ctx) => webhookTemplates.setWebhookTemplate(ctx, template));
  const lines = [`Posts to /api/v1/external/${name} become messages by this template.`];
  printResult(options, { webhook_template: template }, lines);
}

/** `chatd admin webhook template remove NAME` */
export async function removeTemplate(name: string, options: RealmOptions) {
  await withOperator(options, (ctx) => webhookTemplates.removeWebhookTemplate(ctx, { name }));
  printResult(options, { name }, [`Removed the template ${name}.`]);
}

/**
 * `chatd admin webhook secret list BOT`: the integrations with a secret; the secrets themselves are
 * never shown.
 */
export async function listSecrets(bot: string, options: RealmOptions) {
  const { integrations } = await withOperator(options, async (ctx) =>
    webhookSecrets.getWebhookSecrets(ctx, { botId: (await loadAccount(ctx, bot)).id }),
  );
  const rows = integrations.map((name) => [name]);
  printResult(options, { bot, integrations }, formatTable(["INTEGRATION"], rows));
}

/** `chatd admin webhook secret set BOT INTEGRATION`: reads the secret from stdin. */
export async function setSecret(bot: string, integration: string, options: RealmOptions) {
  await withOperator(options, async (ctx) => {
    const { id: botId } = await loadAccount(ctx, bot);
    await webhookSecrets.requireTakesSecret(ctx, { botId, integration });
    const secret = await readPassword("secret");
    await webhookSecrets.setWebhookSecret(ctx, { botId, integration, secret });
  });
  printResult(options, { bot, integration }, [
    `Posts of ${integration} to ${bot} must now be signed with it.`,
  ]);
}

/** `chatd admin webhook secret remove BOT INTEGRATION` */
export async function removeSecret(bot: string, integration: string, options: RealmOptions) {
  await withOperator(options, async (ctx) =>
    webhookSecrets.removeWebhookSecret(ctx, {
      botId: (await loadAccount(ctx, bot)).id,
      integration,
    }),
  );
  printResult(options, { bot, integration }, [
    `Posts of ${integration} to ${bot} no longer need a signature.`,
  ]);
}
