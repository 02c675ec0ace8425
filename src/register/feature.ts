import { feature } from "../core/manifest";
import * as heartbeatEvents from "../events/heartbeat";

/** Heartbeat of event queues. Their endpoints are no part of it, because they tell of all features. */
export const heartbeatFeature = feature({
  name: "heartbeat",
  events: [heartbeatEvents],
});
