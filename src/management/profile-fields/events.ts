import { Type } from "@sinclair/typebox";
import { event } from "../../events/define";
import { changedValueObject, profileFieldObject } from "./wire";

/** The realm's profile fields have changed: all of them. Clients drop values of removed fields. */
export const profileFieldsChanged = event("custom_profile_fields", undefined, {
  fields: Type.Array(profileFieldObject),
});

/**
 * Somebody's value of a profile field has changed; null if they have removed it. To people who see
 * them.
 */
export const profileValueChanged = event("realm_user", "update", {
  person: Type.Object({
    user_id: Type.Integer(),
    custom_profile_field: changedValueObject,
  }),
});
