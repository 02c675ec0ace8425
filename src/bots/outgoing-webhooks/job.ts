import { defineJob } from "../../jobs/define";
import { botKinds } from "../../people/bots/kinds";
import { answerRefused } from "../answer";
import { Addressed, botsAnswer } from "../answer-step";

/**
 * Posts a message to the outgoing webhook that it is for, and sends the answer as the bot. The
 * write of that answer removes the job from the list: if the server is killed, the post may be
 * repeated, but the answer is not. The messages of a bot are posted one at a time. A receiver that
 * is unreachable or overloaded is tried again for half an hour. After that, or if the answer is
 * unusable, the bot says that it failed, and its owner is told.
 */
export const deliverWebhook = defineJob(
  "outgoing_webhook",
  Addressed,
  async (ctx, addressed, signal) => (await import("./deliver")).deliver(ctx, addressed, signal),
  { ...answerRefused, isLeased: true, isOutside: true, attemptsMax: 10 },
);

/** Enqueues the posts of each new message to the outgoing webhooks that it is for. */
export const outgoingWebhooksAnswer = botsAnswer(
  "outgoing webhooks answer",
  botKinds.outgoingWebhook,
  deliverWebhook,
);
