import { feature } from "../../core/manifest";
import { deliverWebhook } from "./job";

/** Bots that a service elsewhere answers for. */
export const outgoingWebhookFeature = feature({
  name: "outgoing webhooks",
  jobs: [deliverWebhook],
});
