import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { linkifierObject } from "./wire";

/** The linkifiers of the organization have changed: all of them, in their order. To the realm. */
export const linkifiersChanged = event("realm_linkifiers", undefined, {
  realm_linkifiers: Type.Array(linkifierObject),
});
