import { feature } from "../../core/manifest";
import * as realmPictureEvents from "./events";
import { realmPictureEndpoints, realmPicturePages } from "./routes";

/** Icon and logos of the organization. */
export const realmPictureFeature = feature({
  name: "realm pictures",
  endpoints: realmPictureEndpoints,
  pages: realmPicturePages,
  events: [realmPictureEvents],
});
