import { feature } from "../../core/manifest";
import { incomingWebhookEndpoints } from "./routes";

/** Posts of other services, which become messages. */
export const incomingWebhookFeature = feature({
  name: "incoming webhooks",
  endpoints: incomingWebhookEndpoints,
});
