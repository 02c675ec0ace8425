import { feature } from "../../core/manifest";
import { pushJobs } from "./background";
import { pushEndpoints } from "./routes";
import { tidyUndelivered } from "./tidy-undelivered";

/** Notifications on devices and in browsers. */
export const pushFeature = feature({
  name: "push",
  endpoints: pushEndpoints,
  jobs: pushJobs,
  tidying: [tidyUndelivered],
});
