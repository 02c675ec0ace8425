import { feature } from "../../core/manifest";
import * as profileFieldEvents from "./events";
import { profileFieldEndpoints } from "./routes";
import { profileFieldState } from "./state";

/** Fields of profiles that the organization defines. */
export const profileFieldFeature = feature({
  name: "profile fields",
  endpoints: profileFieldEndpoints,
  state: [profileFieldState],
  events: [profileFieldEvents],
});
