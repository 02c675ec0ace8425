import { feature } from "../../core/manifest";
import { deliverScheduled } from "./deliver";
import * as scheduledMessageEvents from "./events";
import { scheduledMessageEndpoints } from "./routes";
import { scheduledMessagesState } from "./state";

/** Messages that are sent later. */
export const scheduledMessageFeature = feature({
  name: "scheduled messages",
  endpoints: scheduledMessageEndpoints,
  state: [scheduledMessagesState],
  events: [scheduledMessageEvents],
  jobs: [deliverScheduled],
});
