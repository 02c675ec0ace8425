import { feature } from "../../core/manifest";
import { answerEmbedded } from "./job";

/** Bots whose answers come from the server itself. */
export const embeddedBotFeature = feature({
  name: "embedded bots",
  jobs: [answerEmbedded],
});
