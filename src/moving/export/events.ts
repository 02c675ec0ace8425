import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { exportObject } from "./wire";

/** The organization's exports have changed: all of them. */
export const exportsChanged = event("realm_export", undefined, {
  exports: Type.Array(exportObject),
});
