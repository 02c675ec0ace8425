import * as subscriptionEvents from "../../channels/subscription-events";
import { makeSubscriptionPresenters } from "../../channels/subscription-presenter";
import { feature } from "../../core/manifest";
import { subscriptionsEndpoints } from "./routes";
import { subscriptionsState } from "./state";

/** Subscriptions to channels. */
export const subscriptionFeature = feature({
  name: "subscriptions",
  endpoints: subscriptionsEndpoints,
  state: [subscriptionsState],
  events: [subscriptionEvents],
  presenters: ({ reader }) => makeSubscriptionPresenters(reader),
});
