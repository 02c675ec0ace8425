import { defineJob } from "../../jobs/define";
import { botKinds } from "../../people/bots/kinds";
import { Addressed, botsAnswer } from "../addressed";
import { answerRefused } from "../answer";

/**
 * Posts a message to the outgoing webhook that it is for, and says what that answers as the bot, in
 * the write that takes it off the list: where the server is killed the post may be repeated, what
 * the bot says is not. Of a bot's messages one is under way at a time. A receiver that is not there
 * or in trouble is tried again, for half an hour; then, and where it answers what cannot be used,
 * the bot says that it failed, and its owner is told.
 */
export const deliverWebhook = defineJob(
  "outgoing_webhook",
  Addressed,
  async (ctx, addressed, signal) => (await import("./deliver")).deliver(ctx, addressed, signal),
  { ...answerRefused, isLeased: true, isOutside: true, attemptsMax: 10 },
);

/** Hands each new message to the outgoing webhooks that it is for. */
export const outgoingWebhooksAnswer = botsAnswer(
  "outgoing webhooks answer",
  botKinds.outgoingWebhook,
  deliverWebhook,
);
