import { feature } from "../../core/manifest";
import * as defaultGroupEvents from "./events";
import { defaultGroupEndpoints } from "./routes";
import { defaultGroupState } from "./state";

/** Groups of channels that newcomers may choose. */
export const defaultChannelGroupFeature = feature({
  name: "default channel groups",
  endpoints: defaultGroupEndpoints,
  state: [defaultGroupState],
  events: [defaultGroupEvents],
});
