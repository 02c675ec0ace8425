import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { exportObject } from "./wire";

/** The organization's exports have changed. The event contains the list of all exports. */
export const exportsChanged = event("realm_export", undefined, {
  exports: Type.Array(exportObject),
});
