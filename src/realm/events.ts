import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

/** A setting of the organization, or its name, has a new value. To the realm. */
export const realmPropertyUpdated = event("realm", "update", { property: Type.String(), value: Type.Unknown() });

/** Settings of the organization that the protocol tells of together have new values. To the realm. */
export const realmUpdated = event("realm", "update_dict", {
  property: Type.Literal("default"),
  data: Type.Record(Type.String(), Type.Unknown()),
});

/** The organization is deactivated: nothing comes after this. To the realm. */
export const realmDeactivated = event("realm", "deactivated", { realm_id: Type.Integer() });
