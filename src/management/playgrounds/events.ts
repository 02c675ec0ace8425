import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { playgroundObject } from "./wire";

/** The realm's playgrounds have changed: all of them. */
export const playgroundsChanged = event("realm_playgrounds", undefined, {
  realm_playgrounds: Type.Array(playgroundObject),
});
