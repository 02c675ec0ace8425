import { feature } from "../../core/manifest";
import * as linkifierEvents from "../../realm/linkifiers/events";
import { linkifierState } from "../../realm/linkifiers/state";
import { linkifierEndpoints } from "./routes";

/** Linkifiers: patterns whose matches become links. */
export const linkifierFeature = feature({
  name: "linkifiers",
  endpoints: linkifierEndpoints,
  state: [linkifierState],
  events: [linkifierEvents],
});
