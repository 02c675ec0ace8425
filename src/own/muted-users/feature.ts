import { feature } from "../../core/manifest";
import * as mutedUserEvents from "./events";
import { mutedUserEndpoints } from "./routes";
import { mutedUserState } from "./state";

/** People whom somebody mutes. */
export const mutedUserFeature = feature({
  name: "muted users",
  endpoints: mutedUserEndpoints,
  state: [mutedUserState],
  events: [mutedUserEvents],
});
