import type { Columns } from "./columns";
import { uniqueName } from "./traits";

/** An organization's profile fields; people's values are in `users.profileData`. */
export function profileFieldTables(columns: Columns) {
  const { table, identity, identityKey, integer, text, boolean, uniqueIndex } = columns;
  const profileFields = table(
    "profile_fields",
    { of: "realm", exported: true, holds: { name: uniqueName("Field") } },
    {
      id: identity(),
      realmId: integer("realm_id").notNull(),
      /**
       * 1 short text, 2 paragraph, 3 dropdown, 4 date, 5 link, 6 users, 7 external account, 8
       * pronouns.
       */
      type: integer("type").notNull(),
      name: text("name").notNull(),
      hint: text("hint").notNull(),
      /** JSON: the choices of a dropdown, the kind of an external account; else empty. */
      fieldData: text("field_data").notNull(),
      position: integer("position").notNull(),
      isInSummary: boolean("is_in_summary").notNull(),
      isRequired: boolean("is_required").notNull(),
      isEditableByUser: boolean("is_editable_by_user").notNull(),
      isForMatching: boolean("is_for_matching").notNull(),
    },
    (t) => [
      ...identityKey(t.realmId, t.id),
      uniqueIndex("profile_fields_name").on(t.realmId, t.name),
    ],
  );
  return { profileFields };
}
