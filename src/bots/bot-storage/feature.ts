import { feature } from "../../core/manifest";
import { botStorageEndpoints } from "./routes";

/** Storage of bots, key by key. */
export const botStorageFeature = feature({
  name: "bot storage",
  endpoints: botStorageEndpoints,
});
