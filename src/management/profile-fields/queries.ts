import { asc, eq } from "drizzle-orm";
import { type Given, type Reader, statement } from "../../../db/reader";

export type ProfileField = {
  id: number;
  type: number;
  name: string;
  hint: string;
  /** JSON, or empty. */
  fieldData: string;
  position: number;
  isInSummary: boolean;
  isRequired: boolean;
  isEditableByUser: boolean;
  isForMatching: boolean;
};

const selectAll = statement((db, { profileFields: t }, given: Given<{ realmId: number }>) =>
  db
    .select({
      id: t.id,
      type: t.type,
      name: t.name,
      hint: t.hint,
      fieldData: t.fieldData,
      position: t.position,
      isInSummary: t.isInSummary,
      isRequired: t.isRequired,
      isEditableByUser: t.isEditableByUser,
      isForMatching: t.isForMatching,
    })
    .from(t)
    .where(eq(t.realmId, given.realmId))
    .orderBy(asc(t.position), asc(t.id)),
);

/** The profile fields of a realm, in their order. */
export async function listProfileFields(reader: Reader, realmId: number): Promise<ProfileField[]> {
  return selectAll(reader, { realmId });
}
