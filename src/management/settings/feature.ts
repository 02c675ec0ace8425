import { feature } from "../../core/manifest";
import * as settingsEvents from "../../people/settings/events";
import { settingsStates } from "../../people/settings/state";
import { settingsEndpoints } from "./routes";

/** Settings of people, and the initial settings of new people. */
export const settingsFeature = feature({
  name: "settings",
  endpoints: settingsEndpoints,
  state: settingsStates,
  events: [settingsEvents],
});
