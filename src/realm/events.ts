import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

/** Settings of the organization, or its name, have new values. To the realm. */
export const realmUpdated = event("realm", "update_dict", {
  property: Type.Literal("default"),
  data: Type.Record(Type.String(), Type.Unknown()),
});
