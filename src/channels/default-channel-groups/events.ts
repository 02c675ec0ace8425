import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { defaultGroupObject } from "./wire";

/** The default channel groups have changed. The event has all of them in their new state. */
export const defaultGroupsChanged = event("default_stream_groups", undefined, {
  default_stream_groups: Type.Array(defaultGroupObject),
});
