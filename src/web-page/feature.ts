import { feature } from "../core/manifest";
import { webPages } from "./routes";

/** The web client: its page and its files. The client itself is `src/web`, which browsers run. */
export const webPageFeature = feature({
  name: "web page",
  pages: webPages,
});
