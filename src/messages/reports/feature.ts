import { feature } from "../../core/manifest";
import { reportEndpoints } from "./routes";

/** Reports of messages to moderators. */
export const reportFeature = feature({
  name: "reports",
  endpoints: reportEndpoints,
});
