import { defineJob } from "../../jobs/define";
import { Addressed, answerJobs } from "../../people/bots/addressed";
import { answerRefused } from "../answer";

/** Lets a bot that is a service of the server answer a message that is for it, exactly once. */
export const answerEmbedded = defineJob(
  answerJobs.embedded,
  Addressed,
  async (ctx, addressed) => (await import("./respond")).respond(ctx, addressed),
  { ...answerRefused, attemptsMax: 10 },
);
