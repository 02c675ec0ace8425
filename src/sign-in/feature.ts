import { feature } from "../core/manifest";
import { hashPasswordJob } from "./declared-passwords";
import { tidySignIns } from "./failed-sign-ins";
import { storeKeyUses } from "./key-uses";
import { mailLinkJob } from "./mailed-links";
import { tidySessions } from "./sessions";

/** Passwords, keys, sessions and links by which people sign in. */
export const signInFeature = feature({
  name: "sign-in",
  jobs: [hashPasswordJob, mailLinkJob],
  tidying: [tidySignIns, tidySessions, storeKeyUses],
});
