import { feature } from "../../core/manifest";
import { registrationPages } from "./routes";

/** Joining without an invitation. */
export const registrationFeature = feature({
  name: "registration",
  pages: registrationPages,
});
