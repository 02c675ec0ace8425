import { Type } from "@sinclair/typebox";
import { event } from "../events/define";

const field = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.Integer(),
  hint: Type.String(),
  field_data: Type.String(),
  order: Type.Integer(),
  required: Type.Boolean(),
  editable_by_user: Type.Boolean(),
  display_in_profile_summary: Type.Optional(Type.Boolean()),
  use_for_user_matching: Type.Optional(Type.Boolean()),
});

/** The realm asks for other things than before: all fields. Clients forget values of fields that are gone. */
export const profileFieldsChanged = event("custom_profile_fields", undefined, { fields: Type.Array(field) });

/** Somebody has told something else of themselves; null when they have taken it back. To those who see them. */
export const profileValueChanged = event("realm_user", "update", {
  person: Type.Object({
    user_id: Type.Integer(),
    custom_profile_field: Type.Object({
      id: Type.Integer(),
      value: Type.Union([Type.String(), Type.Null()]),
      rendered_value: Type.Optional(Type.String()),
    }),
  }),
});
