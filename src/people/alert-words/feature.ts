import { feature } from "../../core/manifest";
import * as alertWordEvents from "./events";
import { alertWordEndpoints } from "./routes";
import { alertWordState } from "./state";

/** Alert words of people. */
export const alertWordFeature = feature({
  name: "alert words",
  endpoints: alertWordEndpoints,
  state: [alertWordState],
  events: [alertWordEvents],
});
