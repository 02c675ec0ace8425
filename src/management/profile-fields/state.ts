import { Type } from "@sinclair/typebox";
import { type StateLoader, sameForAll } from "../../core/state";
import { fieldTypes } from "../../protocol/profile-field-types";
import { listProfileFields } from "./queries";
import { profileFieldObject, profileFieldWire } from "./wire";

/** The types by their names in clients, with their titles. */
const typeNames = {
  SHORT_TEXT: { id: fieldTypes.shortText, name: "Short text" },
  LONG_TEXT: { id: fieldTypes.paragraph, name: "Paragraph" },
  SELECT: { id: fieldTypes.dropdown, name: "Dropdown" },
  DATE: { id: fieldTypes.date, name: "Date" },
  URL: { id: fieldTypes.link, name: "Link" },
  USER: { id: fieldTypes.users, name: "Users" },
  EXTERNAL_ACCOUNT: { id: fieldTypes.externalAccount, name: "External account" },
  PRONOUNS: { id: fieldTypes.pronouns, name: "Pronouns" },
};

const fields = sameForAll(["profile_fields"], async (reader, realmId) => ({
  custom_profile_fields: (await listProfileFields(reader, realmId)).map(profileFieldWire),
  custom_profile_field_types: typeNames,
}));

/** `custom_profile_fields`, and their possible types. */
export const profileFieldState = {
  fetchTypes: ["custom_profile_fields"],
  keys: {
    custom_profile_fields: Type.Array(profileFieldObject),
    custom_profile_field_types: Type.Record(
      Type.String(),
      Type.Object({ id: Type.Integer(), name: Type.String() }),
    ),
  },
  load: ({ realm }, reader) => fields(reader, realm.id),
} satisfies StateLoader;
