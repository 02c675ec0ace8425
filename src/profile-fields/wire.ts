import type { ProfileField } from "./queries";

/** A field as the protocol shows it. Two of its members are there only when they are true. */
export const profileFieldWire = (field: ProfileField) => ({
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
