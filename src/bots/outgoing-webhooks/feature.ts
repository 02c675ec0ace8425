import { feature } from "../../core/manifest";
import { deliverWebhook } from "./job";

/** Bots whose answers come from another service. */
export const outgoingWebhookFeature = feature({
  name: "outgoing webhooks",
  jobs: [deliverWebhook],
});
