import { feature } from "../../core/manifest";
import * as exportEvents from "./events";
import { exportRealmJob } from "./job";
import { exportEndpoints, exportPages } from "./routes";

/** Exports of the organization. */
export const exportFeature = feature({
  name: "export",
  endpoints: exportEndpoints,
  pages: exportPages,
  events: [exportEvents],
  jobs: [exportRealmJob],
});
