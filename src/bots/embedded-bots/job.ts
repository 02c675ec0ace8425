import { defineJob } from "../../jobs/define";
import { botKinds } from "../../people/bots/kinds";
import { answerRefused } from "../answer";
import { Addressed, botsAnswer } from "../answer-step";

/** Lets an embedded bot answer a message that is for it, exactly once. */
export const answerEmbedded = defineJob(
  "embedded_bot",
  Addressed,
  async (ctx, addressed) => (await import("./respond")).respond(ctx, addressed),
  { ...answerRefused, attemptsMax: 10 },
);

/** Enqueues the answers of embedded bots to each new message. */
export const embeddedBotsAnswer = botsAnswer(
  "embedded bots answer",
  botKinds.embedded,
  answerEmbedded,
);
