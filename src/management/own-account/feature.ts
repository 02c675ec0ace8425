import { feature } from "../../core/manifest";
import { authEndpoints, loginPages } from "./routes";

/** Signing in and out, and one's own account. */
export const ownAccountFeature = feature({
  name: "own account",
  endpoints: authEndpoints,
  pages: loginPages,
});
