import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { defaultGroupObject } from "./wire";

/** The groups of channels for newcomers have changed: all of them, as they are now. */
export const defaultGroupsChanged = event("default_stream_groups", undefined, {
  default_stream_groups: Type.Array(defaultGroupObject),
});
