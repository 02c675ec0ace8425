import { feature } from "../../core/manifest";
import { incomingWebhookEndpoints } from "./routes";

/** Posts of services elsewhere, which become messages. */
export const incomingWebhookFeature = feature({
  name: "incoming webhooks",
  endpoints: incomingWebhookEndpoints,
});
