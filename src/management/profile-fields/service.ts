import { type Static, Type } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { type AuditFacts, changedFacts } from "../../core/audit";
import type { Context, Tx } from "../../core/context";
import { badRequest } from "../../core/errors";
import {
  flag,
  type Input,
  id,
  ids,
  integer,
  json,
  optional,
  record,
  text,
} from "../../core/params";
import { requireAdministrator } from "../../core/rights/permission";
import { isBlank, withoutHidden } from "../../core/text/hidden-characters";
import { looksLike } from "../../core/text/look-alikes";
import { isLonger } from "../../core/text/name";
import { onlyRow, write } from "../../core/write";
import { renewContext } from "../../people/users/renew-context";
import { lengthsMax } from "../../protocol/limits";
import { fieldTypes } from "../../protocol/profile-field-types";
import { profileFieldsChanged } from "./events";
import { checkedFieldData, knownAccount } from "./field-data";
import { listProfileFields, type ProfileField } from "./queries";
import { dropLostChoicesIn, forgetFieldIn } from "./values";
import { profileFieldObject, profileFieldWire } from "./wire";

const hintLengthMax = 80;
const fieldsMax = 100;
/** `docs/protocol/specification.md`, Limits. */
export const summaryFieldsMax = 2;

export const ListProfileFields = record({});
export const ProfileFieldList = record({ custom_fields: Type.Array(profileFieldObject) });

/** The profile fields of the organization, in their order. */
export async function getProfileFields({
  reader,
  realm,
}: Context): Promise<Static<typeof ProfileFieldList>> {
  return { custom_fields: (await listProfileFields(reader, realm.id)).map(profileFieldWire) };
}

const changeable = {
  name: optional(text()),
  hint: optional(text()),
  fieldData: optional(json()),
  displayInProfileSummary: optional(flag()),
  required: optional(flag()),
  editableByUser: optional(flag()),
  useForUserMatching: optional(flag()),
};

export const CreateProfileField = record({ ...changeable, fieldType: integer() });
export const CreatedProfileField = record({ id: Type.Integer() });

/**
 * Adds a profile field at the end, for administrators; answers its id. An external account of a
 * known kind has a fixed name. Announces custom_profile_fields to the realm. Refuses an unknown
 * type, data that does not fit it, a blank, long or taken name, a third field in the summary, and a
 * type that is not allowed in the summary or for matching (BAD_REQUEST). Source:
 * `docs/protocol/specification.md`, POST /realm/profile_fields.
 */
export async function createProfileField(
  ctx: Context,
  input: Input<typeof CreateProfileField>,
): Promise<Static<typeof CreatedProfileField>> {
  return write(ctx, (tx) => createProfileFieldIn(tx, ctx, input));
}

/** Adds a profile field, as part of a write. */
export async function createProfileFieldIn(
  tx: Tx,
  ctx: Context,
  input: Input<typeof CreateProfileField>,
): Promise<Static<typeof CreatedProfileField>> {
  const { fieldType: type } = input;
  if (!Object.values(fieldTypes).some((value) => value === type))
    throw badRequest("Invalid field type: use 1 to 8.");
  const fieldData = checkedFieldData(type, input.fieldData);
  const { realm, actor } = await renewContext(tx, ctx);
  requireAdministrator(actor);
  const fields = await listProfileFields(tx, realm.id);
  if (fields.length >= fieldsMax)
    throw badRequest(`An organization has at most ${fieldsMax} profile fields.`);
  const { name = input.name ?? "", hint = input.hint ?? "" } = knownAccount(type, fieldData) ?? {};
  const field = {
    type,
    name: visibleName(name),
    hint: hint.trim(),
    fieldData,
    position: Math.max(0, ...fields.map(({ position }) => position)) + 1,
    isInSummary: input.displayInProfileSummary ?? false,
    isRequired: input.required ?? false,
    isEditableByUser: input.editableByUser ?? true,
    isForMatching: input.useForUserMatching ?? false,
  };
  requireSound(field, fields);
  const rows = await tx.db
    .insert(tx.t.profileFields)
    .values({ realmId: realm.id, ...field })
    .returning();
  await announce(tx, realm.id);
  const { id: newId } = onlyRow(rows);
  const after = fieldFacts(field);
  tx.audit(ctx, { action: "profile_field.create", kind: "profile_field", ids: [newId], after });
  return { id: newId };
}

const fieldFacts = (field: Omit<ProfileField, "id">): AuditFacts => ({
  name: field.name,
  hint: field.hint,
  type: field.type,
  is_required: field.isRequired,
  is_editable_by_user: field.isEditableByUser,
  is_in_summary: field.isInSummary,
  is_for_matching: field.isForMatching,
});

export const UpdateProfileField = record({ ...changeable, fieldId: id() });

/**
 * Changes a profile field, for administrators; values that are left out stay unchanged. People's
 * choices that a dropdown no longer has are removed (`dropLostChoicesIn`). Announces
 * custom_profile_fields to the realm. Refuses as `createProfileField` does, a missing
 * field, and another name, hint or data for an external account of a known kind (BAD_REQUEST).
 */
export async function updateProfileField(
  ctx: Context,
  input: Input<typeof UpdateProfileField>,
): Promise<undefined> {
  await write(ctx, (tx) => updateProfileFieldIn(tx, ctx, input));
}

/** Changes a profile field, as part of a write. */
export async function updateProfileFieldIn(
  tx: Tx,
  ctx: Context,
  input: Input<typeof UpdateProfileField>,
): Promise<void> {
  const { realm, actor } = await renewContext(tx, ctx);
  requireAdministrator(actor);
  const fields = await listProfileFields(tx, realm.id);
  const before = findField(fields, input.fieldId);
  const after: ProfileField = {
    ...before,
    name:
      input.name === undefined || input.name === before.name
        ? before.name
        : visibleName(input.name),
    hint: input.hint?.trim() ?? before.hint,
    fieldData:
      input.fieldData === undefined
        ? before.fieldData
        : checkedFieldData(before.type, input.fieldData),
    isInSummary: input.displayInProfileSummary ?? before.isInSummary,
    isRequired: input.required ?? before.isRequired,
    isEditableByUser: input.editableByUser ?? before.isEditableByUser,
    isForMatching: input.useForUserMatching ?? before.isForMatching,
  };
  const isDescribed =
    after.name !== before.name ||
    after.hint !== before.hint ||
    after.fieldData !== before.fieldData;
  if (isDescribed && knownAccount(before.type, before.fieldData)) {
    throw badRequest("The name, hint and data of a known external account cannot be changed.");
  }
  requireSound(after, fields);
  const { profileFields } = tx.t;
  await tx.db
    .update(profileFields)
    .set(after)
    .where(isField(tx, realm.id, before.id));
  await announce(tx, realm.id);
  if (after.type === fieldTypes.dropdown) await dropLostChoicesIn(tx, realm.id, before, after);
  tx.audit(ctx, {
    action: "profile_field.update",
    kind: "profile_field",
    ids: [before.id],
    ...changedFacts(fieldFacts(before), fieldFacts(after)),
  });
}

export const RemoveProfileField = record({ fieldId: id() });

/**
 * Removes a profile field with people's values, for administrators. Announces custom_profile_fields
 * to the realm.
 */
export async function removeProfileField(
  ctx: Context,
  { fieldId }: Input<typeof RemoveProfileField>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    requireAdministrator(actor);
    const { name } = findField(await listProfileFields(tx, realm.id), fieldId);
    await tx.db.delete(tx.t.profileFields).where(isField(tx, realm.id, fieldId));
    await forgetFieldIn(tx, realm.id, fieldId);
    await announce(tx, realm.id);
    const act = { action: "profile_field.delete", kind: "profile_field", ids: [fieldId] } as const;
    tx.audit(ctx, { ...act, before: { name } });
  });
}

export const ReorderProfileFields = record({ order: ids() });

/**
 * Changes the order of the profile fields, for administrators, by the ids of all of them. Announces
 * custom_profile_fields to the realm. Refuses a list that does not contain each field once
 * (BAD_REQUEST).
 */
export async function reorderProfileFields(
  ctx: Context,
  { order }: Input<typeof ReorderProfileFields>,
): Promise<undefined> {
  await write(ctx, async (tx) => {
    const { realm, actor } = await renewContext(tx, ctx);
    requireAdministrator(actor);
    const fields = await listProfileFields(tx, realm.id);
    const isWhole =
      order.length === fields.length && fields.every((field) => order.includes(field.id));
    if (!isWhole) throw badRequest("'order' names each profile field once.");
    for (const [index, fieldId] of order.entries()) {
      const position = index + 1;
      await tx.db
        .update(tx.t.profileFields)
        .set({ position })
        .where(isField(tx, realm.id, fieldId));
    }
    await announce(tx, realm.id);
    const after = { order };
    tx.audit(ctx, { action: "profile_field.reorder", kind: "profile_field", after });
  });
}

const isField = ({ t: { profileFields } }: Tx, realmId: number, fieldId: number) =>
  and(eq(profileFields.realmId, realmId), eq(profileFields.id, fieldId));

function findField(fields: ProfileField[], fieldId: number): ProfileField {
  const field = fields.find((one) => one.id === fieldId);
  if (!field) throw badRequest(`There is no profile field with ID ${fieldId}.`);
  return field;
}

async function announce(tx: Tx, realmId: number) {
  const fields = (await listProfileFields(tx, realmId)).map(profileFieldWire);
  await tx.emit({ to: "realm" }, profileFieldsChanged({ fields }));
}

/** The stored form of a field's name: without invisible characters. */
export const visibleName = (name: string) => withoutHidden(name).trim();

type Described = Omit<ProfileField, "id"> & { id?: number };

function requireSound(field: Described, fields: ProfileField[]) {
  const others = fields.filter((one) => one.id !== field.id);
  requireFieldFits(field);
  if (others.some((one) => one.name === field.name)) {
    throw badRequest(`There is already a profile field ${field.name}.`);
  }
  const isNew = fields.every((one) => one.id !== field.id || one.name !== field.name);
  if (isNew && others.map(({ name }) => name).some(looksLike(field.name))) {
    throw badRequest(
      `'${field.name}' looks like the name of another profile field. Choose another one.`,
    );
  }
  if (field.isInSummary && others.filter((one) => one.isInSummary).length >= summaryFieldsMax) {
    throw badRequest(
      `The profile summary has at most ${summaryFieldsMax} fields: remove another one first.`,
    );
  }
}

/**
 * Refuses (BAD_REQUEST) a field that is invalid in every organization: with a blank or long name, a
 * long hint, or a type that is not allowed in the summary or for matching.
 */
export function requireFieldFits(
  field: Pick<ProfileField, "type" | "name" | "hint" | "isInSummary" | "isForMatching">,
) {
  const { type, name, hint } = field;
  if (isBlank(name)) throw badRequest("Give the profile field a name.");
  if (isLonger(name, lengthsMax.profileFieldName))
    throw badRequest(`The name has at most ${lengthsMax.profileFieldName} characters.`);
  if (isLonger(hint, hintLengthMax))
    throw badRequest(`The hint has at most ${hintLengthMax} characters.`);
  if (field.isInSummary && type === fieldTypes.users) {
    throw badRequest("A field of users cannot be in the profile summary.");
  }
  if (field.isForMatching && type !== fieldTypes.shortText && type !== fieldTypes.externalAccount) {
    throw badRequest("Only short texts and external accounts can be used to find people.");
  }
}
