import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { changedValueObject, profileFieldObject } from "./wire";

/**
 * The realm asks for other things than before: all fields. Clients forget values of fields that are
 * gone.
 */
export const profileFieldsChanged = event("custom_profile_fields", undefined, {
  fields: Type.Array(profileFieldObject),
});

/**
 * Somebody has told something else of themselves; null when they have taken it back. To those who
 * see them.
 */
export const profileValueChanged = event("realm_user", "update", {
  person: Type.Object({
    user_id: Type.Integer(),
    custom_profile_field: changedValueObject,
  }),
});
