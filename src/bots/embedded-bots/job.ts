import { defineJob } from "../../jobs/define";
import { botKinds } from "../../people/bots/kinds";
import { Addressed, botsAnswer } from "../addressed";
import { answerRefused } from "../answer";

/** Lets a bot that is a service of the server answer a message that is for it, exactly once. */
export const answerEmbedded = defineJob(
  "embedded_bot",
  Addressed,
  async (ctx, addressed) => (await import("./respond")).respond(ctx, addressed),
  { ...answerRefused, attemptsMax: 10 },
);

/** Hands each new message to the server's own services that it is for. */
export const embeddedBotsAnswer = botsAnswer(
  "embedded bots answer",
  botKinds.embedded,
  answerEmbedded,
);
