import { showSource } from "../../reading/shown-source";
import type { Answering } from "../answer";
import { interfaceTypes } from "../outgoing";

/** Post for a bot: a body and its media type. */
export interface Payload {
  contentType: "application/json" | "application/x-www-form-urlencoded";
  body: string;
}

/** Text of a post or an answer without the bot's token. */
export const withoutToken = (text: string, token: string): string =>
  text.replaceAll(token, "(hidden)");

/**
 * Post to a bot's address, in the bot's form. Source: `docs/protocol/specification.md`, POST
 * /service-outgoing-webhook.
 */
export async function payloadFor(answering: Answering, token: string): Promise<Payload> {
  return answering.row.interfaceType === interfaceTypes.slack
    ? slackPayload(answering, token)
    : { contentType: "application/json", body: JSON.stringify(await ownPayload(answering, token)) };
}

const ownPayload = async ({ ctx, bot, message, trigger }: Answering, token: string) => ({
  bot_email: bot.email,
  bot_full_name: bot.fullName,
  data: message.content,
  trigger,
  token,
  message: await showSource(ctx, message),
});

/**
 * Payload in Slack's form. Source:
 * https://api.slack.com/legacy/custom-integrations/outgoing-webhooks
 */
function slackPayload({ ctx, bot, message, trigger }: Answering, token: string): Payload {
  const { realm } = ctx;
  const fields = {
    token,
    team_id: `T${realm.id}`,
    team_domain: realm.host,
    channel_id: `C${message.channelId ?? ""}`,
    channel_name: message.channelName ?? "",
    thread_ts: String(message.sentAt),
    timestamp: String(message.sentAt),
    user_id: `U${message.senderId}`,
    user_name: message.sender.fullName,
    text: message.content,
    trigger_word: trigger,
    service_id: String(bot.id),
  };
  return {
    contentType: "application/x-www-form-urlencoded",
    body: new URLSearchParams(fields).toString(),
  };
}
