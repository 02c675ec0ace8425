import { feature } from "../../core/manifest";
import { leaveGravatar } from "./default-source";
import { avatarEndpoints, avatarPages } from "./routes";

/** Pictures of people. */
export const avatarFeature = feature({
  name: "avatars",
  endpoints: avatarEndpoints,
  pages: avatarPages,
  opened: leaveGravatar,
});
