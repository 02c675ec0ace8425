import { type Endpoint, endpoint, webhook } from "../http/endpoint";
import {
  GetWebhookSecrets,
  getWebhookSecrets,
  RemoveWebhookSecret,
  removeWebhookSecret,
  SetWebhookSecret,
  setWebhookSecret,
} from "./secrets";
import { ReceiveWebhook, receiveWebhook } from "./service";
import {
  getWebhookTemplates,
  ListWebhookTemplates,
  RemoveWebhookTemplate,
  removeWebhookTemplate,
  SetWebhookTemplate,
  setWebhookTemplate,
} from "./templates";

export const incomingWebhookEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/external/{integration}",
    summary: "Takes what a service elsewhere posts, and makes a message of it.",
    who: "user",
    callers: "writers",
    body: webhook,
    input: ReceiveWebhook,
    verb: receiveWebhook,
  }),
  endpoint({
    method: "GET",
    path: "/realm/webhook_templates",
    summary: "Lists the organization's own mappings from JSON to a message.",
    who: "administrator",
    input: ListWebhookTemplates,
    verb: getWebhookTemplates,
  }),
  endpoint({
    method: "PUT",
    path: "/realm/webhook_templates/{name}",
    summary: "Adds or changes a mapping from JSON to a message.",
    who: "administrator",
    input: SetWebhookTemplate,
    verb: setWebhookTemplate,
  }),
  endpoint({
    method: "DELETE",
    path: "/realm/webhook_templates/{name}",
    summary: "Takes such a mapping away.",
    who: "administrator",
    input: RemoveWebhookTemplate,
    verb: removeWebhookTemplate,
  }),
  endpoint({
    method: "GET",
    path: "/bots/{bot_id}/webhook_secrets",
    summary: "Tells for which integrations posts to a bot have to be signed.",
    who: "user",
    input: GetWebhookSecrets,
    verb: getWebhookSecrets,
  }),
  endpoint({
    method: "PUT",
    path: "/bots/{bot_id}/webhook_secrets/{integration}",
    summary: "Says what an integration's posts to a bot have to be signed with.",
    who: "user",
    callers: "people",
    input: SetWebhookSecret,
    verb: setWebhookSecret,
  }),
  endpoint({
    method: "DELETE",
    path: "/bots/{bot_id}/webhook_secrets/{integration}",
    summary: "Takes an integration's posts to a bot without a signature again.",
    who: "user",
    callers: "people",
    input: RemoveWebhookSecret,
    verb: removeWebhookSecret,
  }),
];
