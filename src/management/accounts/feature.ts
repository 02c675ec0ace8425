import { feature } from "../../core/manifest";
import * as userEvents from "../../people/users/events";
import { addressPages, userEndpoints } from "./routes";
import { userStateLoader } from "./state";

/** Accounts of people. */
export const userFeature = feature({
  name: "users",
  endpoints: userEndpoints,
  pages: addressPages,
  state: [userStateLoader],
  events: [userEvents],
});
