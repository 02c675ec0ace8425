import { feature } from "../../core/manifest";
import * as navigationViewEvents from "./events";
import { navigationViewEndpoints } from "./routes";
import { navigationViewState } from "./state";

/** Views of the navigation, as people arrange them. */
export const navigationViewFeature = feature({
  name: "navigation views",
  endpoints: navigationViewEndpoints,
  state: [navigationViewState],
  events: [navigationViewEvents],
});
