import { feature } from "../../core/manifest";
import * as alertWordEvents from "./events";
import { alertWordEndpoints } from "./routes";
import { alertWordState } from "./state";

/** Words that somebody wants to be alerted by. */
export const alertWordFeature = feature({
  name: "alert words",
  endpoints: alertWordEndpoints,
  state: [alertWordState],
  events: [alertWordEvents],
});
