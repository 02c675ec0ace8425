import { feature } from "../core/manifest";
import * as heartbeatEvents from "../events/heartbeat";

/**
 * Heartbeat of event queues. The endpoints of queues are in `routes.ts`, because they depend on all
 * features.
 */
export const heartbeatFeature = feature({
  name: "heartbeat",
  events: [heartbeatEvents],
});
