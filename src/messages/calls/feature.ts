import { feature } from "../../core/manifest";
import { callEndpoints, callPages } from "./routes";

/** Video calls that people start from a message. */
export const callFeature = feature({
  name: "calls",
  endpoints: callEndpoints,
  pages: callPages,
});
