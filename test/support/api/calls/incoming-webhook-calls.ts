import { setWebhookSecret } from "../../../../src/bots/incoming-webhooks/secrets";
import { setWebhookTemplate } from "../../../../src/bots/incoming-webhooks/templates";
import { botKinds } from "../../../../src/people/bots/kinds";
import type { World } from "../../world";
import { administrators, type Calls, type Outcomes, open, signedOut } from "./call";
import { newBot, newName } from "./things";

const bad = "400 BAD_REQUEST";
/** Outcomes for a bot that belongs to Alice, the member. */
const botOwners: Outcomes = {
  ...signedOut,
  owner: "ok",
  administrator: "ok",
  member: "ok",
  others: bad,
};
/** Callers with an API key, which is sent in the address. */
const keyHolders: Outcomes = {
  anonymous: "400 REQUEST_VARIABLE_MISSING",
  deactivated: "401 INVALID_API_KEY",
  others: "ok",
};

const template = () => ({ name: newName("template"), topic: "{title|alerts}", content: "{text}" });

async function newSecret(world: World) {
  const bot = await newBot(world, botKinds.incomingWebhook);
  await setWebhookSecret(world.operator, {
    botId: bot.id,
    integration: "github",
    secret: "leek and potato",
  });
  return { bot_id: bot.id, integration: "github" };
}

/** Posts of other services, and their setup. */
export const incomingWebhookCalls: Calls = {
  "POST /external/{integration}": {
    by: "robot",
    outcomes: keyHolders,
    prepare: (_, { credentials }) => ({
      path: { integration: "slack_incoming" },
      parameters: credentials ? { api_key: credentials.apiKey } : {},
      json: { text: "soup is ready" },
    }),
  },
  "HEAD /external/{integration}": {
    outcomes: open,
    prepare: () => ({ path: { integration: "trello" } }),
  },
  "GET /realm/webhook_templates": { by: "adam", outcomes: administrators, prepare: () => ({}) },
  "PUT /realm/webhook_templates/{name}": {
    by: "adam",
    outcomes: administrators,
    prepare: () => {
      const { name, ...parameters } = template();
      return { path: { name }, parameters };
    },
  },
  "DELETE /realm/webhook_templates/{name}": {
    by: "adam",
    outcomes: { ...administrators, outsider: "400 UNAUTHORIZED_PRINCIPAL" },
    prepare: async ({ operator }) => {
      const made = template();
      await setWebhookTemplate(operator, made);
      return { path: { name: made.name } };
    },
  },
  "GET /bots/{bot_id}/webhook_secrets": {
    outcomes: botOwners,
    prepare: async (world) => ({ path: { bot_id: (await newSecret(world)).bot_id } }),
  },
  "PUT /bots/{bot_id}/webhook_secrets/{integration}": {
    outcomes: botOwners,
    prepare: async (world) => ({
      path: { bot_id: (await newBot(world, botKinds.incomingWebhook)).id, integration: "github" },
      parameters: { secret: "leek and potato" },
    }),
  },
  "DELETE /bots/{bot_id}/webhook_secrets/{integration}": {
    outcomes: botOwners,
    prepare: async (world) => ({ path: await newSecret(world) }),
  },
};
