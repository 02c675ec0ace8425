import { feature } from "../core/manifest";
import * as uploadEvents from "./events";
import { filePages, uploadEndpoints } from "./routes";
import { tidyUploads } from "./tidy";

/** Files of messages, and their thumbnails. */
export const uploadFeature = feature({
  name: "uploads",
  endpoints: uploadEndpoints,
  pages: filePages,
  events: [uploadEvents],
  tidying: [tidyUploads],
});
