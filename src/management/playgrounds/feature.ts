import { feature } from "../../core/manifest";
import * as playgroundEvents from "./events";
import { playgroundEndpoints } from "./routes";
import { playgroundState } from "./state";

/** Playgrounds, which open code of messages on other sites. */
export const playgroundFeature = feature({
  name: "playgrounds",
  endpoints: playgroundEndpoints,
  state: [playgroundState],
  events: [playgroundEvents],
});
