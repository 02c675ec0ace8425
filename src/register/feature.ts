import { feature } from "../core/manifest";
import * as heartbeatEvents from "../events/heartbeat";

/**
 * Heartbeat of event queues. Their endpoints stand elsewhere, because they depend on all features.
 */
export const heartbeatFeature = feature({
  name: "heartbeat",
  events: [heartbeatEvents],
});
