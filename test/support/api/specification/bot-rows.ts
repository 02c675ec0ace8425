import { each, type Shown, shows } from "./shown";

/** Posts to bots of other services. */
export const botRows: readonly Shown[] = [
  shows(
    "bots/outgoing-webhooks.test.ts",
    "gets a message that mentions it, and what it answers is said in that topic",
    "endpoint: POST /service-outgoing-webhook",
    each(
      "parameter: POST /service-outgoing-webhook",
      "bot_email bot_full_name data trigger mention token message",
    ),
    "field: Message object rendered_content",
    "authentication: 3. Outgoing-webhook calls carry a per-bot token",
  ),
  shows(
    "bots/outgoing-webhooks.test.ts",
    "gets direct messages, also of groups, and answers all who are in them",
    each("parameter: POST /service-outgoing-webhook", "direct_message"),
  ),
];
