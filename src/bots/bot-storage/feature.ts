import { feature } from "../../core/manifest";
import { botStorageEndpoints } from "./routes";

/** Key-value storage of bots. */
export const botStorageFeature = feature({
  name: "bot storage",
  endpoints: botStorageEndpoints,
});
