import { feature } from "../../core/manifest";
import { deliverReminder } from "./deliver";
import * as reminderEvents from "./events";
import { reminderEndpoints } from "./routes";
import { remindersState } from "./state";

/** Reminders of messages. */
export const reminderFeature = feature({
  name: "reminders",
  endpoints: reminderEndpoints,
  state: [remindersState],
  events: [reminderEvents],
  jobs: [deliverReminder],
});
