import { feature } from "../../core/manifest";
import { topicEndpoints } from "./routes";

/** Topics as a whole: resolved, marked as read, deleted. */
export const topicFeature = feature({
  name: "topics",
  endpoints: topicEndpoints,
});
