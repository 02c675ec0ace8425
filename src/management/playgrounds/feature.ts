import { feature } from "../../core/manifest";
import * as playgroundEvents from "./events";
import { playgroundEndpoints } from "./routes";
import { playgroundState } from "./state";

/** Playgrounds, in which code of messages is opened. */
export const playgroundFeature = feature({
  name: "playgrounds",
  endpoints: playgroundEndpoints,
  state: [playgroundState],
  events: [playgroundEvents],
});
