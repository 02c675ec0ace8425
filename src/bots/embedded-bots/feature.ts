import { feature } from "../../core/manifest";
import { answerEmbedded } from "./job";

/** Bots that the server answers for by itself. */
export const embeddedBotFeature = feature({
  name: "embedded bots",
  jobs: [answerEmbedded],
});
