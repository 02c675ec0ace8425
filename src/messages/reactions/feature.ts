import { feature } from "../../core/manifest";
import * as reactionEvents from "./events";
import { reactionPresenter } from "./events";
import { reactionEndpoints } from "./routes";

/** Emoji reactions to messages. */
export const reactionFeature = feature({
  name: "reactions",
  endpoints: reactionEndpoints,
  events: [reactionEvents],
  presenters: () => [["reaction", reactionPresenter]],
});
