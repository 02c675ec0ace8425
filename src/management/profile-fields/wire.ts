import { type Static, Type } from "@sinclair/typebox";
import { nullable } from "../../core/params";
import { profileValueObject } from "../../people/users/profile-data";
import type { ProfileField } from "./queries";

/** A field as the protocol shows it. Two of its members are only present when they are true. */
export const profileFieldObject = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    type: Type.Integer({
      description:
        "1 short text, 2 paragraph, 3 dropdown, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.",
    }),
    hint: Type.String(),
    field_data: Type.String({
      description: "JSON for dropdowns and external accounts, else empty.",
    }),
    order: Type.Integer({ description: "Position among the fields, in ascending order." }),
    required: Type.Boolean(),
    editable_by_user: Type.Boolean(),
    display_in_profile_summary: Type.Optional(Type.Literal(true)),
    use_for_user_matching: Type.Optional(Type.Literal(true)),
  },
  { title: "ProfileField" },
);

/** Somebody's value of a field; null if they have removed it. */
export const changedValueObject = Type.Object(
  {
    id: Type.Integer({ description: "Id of the field." }),
    ...profileValueObject.properties,
    value: nullable(profileValueObject.properties.value),
  },
  { title: "ChangedProfileValue" },
);

export const profileFieldWire = (field: ProfileField): Static<typeof profileFieldObject> => ({
  id: field.id,
  name: field.name,
  type: field.type,
  hint: field.hint,
  field_data: field.fieldData,
  order: field.position,
  required: field.isRequired,
  editable_by_user: field.isEditableByUser,
  ...(field.isInSummary ? { display_in_profile_summary: true } : {}),
  ...(field.isForMatching ? { use_for_user_matching: true } : {}),
});
