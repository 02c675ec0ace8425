import { badRequest } from "../../../core/errors";
import { checkedFieldData, knownAccount } from "../../../management/profile-fields/field-data";
import { listProfileFields, type ProfileField } from "../../../management/profile-fields/queries";
import {
  createProfileFieldIn,
  requireFieldFits,
  summaryFieldsMax,
  updateProfileFieldIn,
  visibleName,
} from "../../../management/profile-fields/service";
import { fieldTypes } from "../../../protocol/profile-field-types";
import type { Change } from "../change";
import type { Declarable } from "../declarable";
import { type Dumping, present } from "../dumping";
import {
  type Item,
  type Node,
  openMapping,
  readFlag,
  readItems,
  readText,
  refuseRepeatedTexts,
  requireText,
} from "../file/decode";
import { attempt, type Path, type Problem } from "../file/problems";
import type { Planning } from "../planning";

export interface DeclaredProfileField {
  name: string;
  type: number;
  hint: string | undefined;
  /** Details in stored form; undefined where the type has none. */
  fieldData: string | undefined;
  displayInProfileSummary: boolean | undefined;
  required: boolean | undefined;
  editableByUser: boolean | undefined;
  useForUserMatching: boolean | undefined;
}

/** Fields of people's profiles, identified by their names. */
export const profileFields: Declarable = {
  read: (root) => ({
    profile_fields: readItems(root, "profile_fields").map((item) =>
      readProfileField(root.problems, item),
    ),
  }),
  check(declaration, problems) {
    const names = declaration.profile_fields.map(({ name }) => name);
    refuseRepeatedTexts(problems, { part: "profile_fields", key: "name" }, names);
  },
  load: async ({ reader, realm }) => ({
    profileFields: await listProfileFields(reader, realm.id),
  }),
  plan: planProfileFields,
  dump: (dumping) => ({ profile_fields: dumpProfileFields(dumping) }),
};

const plain = (text: string) => text.trim();

/** The file's names of types: `short_text`, `external_account`. */
const typesByName: ReadonlyMap<string, number> = new Map(
  Object.entries(fieldTypes).map(([name, type]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    type,
  ]),
);

/** The file's name of a type of profile fields. */
export const fieldTypeName = (type: number) =>
  [...typesByName].find(([, one]) => one === type)?.[0] ?? String(type);

/** The type of profile fields with a name of the file; refuses unknown names (BAD_REQUEST). */
export function fieldTypeNamed(name: string): number {
  const type = typesByName.get(name);
  if (type !== undefined) return type;
  throw badRequest(`there is no type '${name}'. Types: ${[...typesByName.keys()].join(", ")}.`);
}

const fieldFlags = [
  "display_in_profile_summary",
  "required",
  "editable_by_user",
  "use_for_user_matching",
] as const;
const keys = ["name", "type", "hint", "field_data", ...fieldFlags];

function readProfileField(problems: Problem[], { path, value }: Item): DeclaredProfileField {
  const node = openMapping(problems, path, value, "a profile field", keys);
  const type = readFieldType(node);
  const fieldData = readFieldData(node, type);
  const account = fieldData === undefined ? undefined : knownAccount(type, fieldData);
  const field = {
    name: account?.name ?? requireText(node, "name", visibleName),
    hint: account?.hint ?? readText(node, "hint", plain),
    type,
    fieldData,
    displayInProfileSummary: readFlag(node, "display_in_profile_summary"),
    required: readFlag(node, "required"),
    editableByUser: readFlag(node, "editable_by_user"),
    useForUserMatching: readFlag(node, "use_for_user_matching"),
  };
  const {
    name,
    hint = "",
    displayInProfileSummary: isInSummary = false,
    useForUserMatching: isForMatching = false,
  } = field;
  if (name === "" || type === 0) return field;
  attempt(problems, [...path, "name"], () =>
    requireFieldFits({ type, name, hint, isInSummary, isForMatching }),
  );
  return field;
}

/** The type of a field; 0 where the file has none or an unknown one. */
function readFieldType(node: Node): number {
  const name = requireText(node, "type", plain);
  return (
    (name === ""
      ? 0
      : attempt(node.problems, [...node.path, "type"], () => fieldTypeNamed(name))) ?? 0
  );
}

function readFieldData({ path, fields, problems }: Node, type: number): string | undefined {
  const given = fields.field_data;
  const needsData = type === fieldTypes.dropdown || type === fieldTypes.externalAccount;
  if (type === 0 || (given === undefined && !needsData)) return undefined;
  const key = given === undefined ? "type" : "field_data";
  return attempt(problems, [...path, key], () => checkedFieldData(type, given));
}

/**
 * Plans changes of profile fields. Fields that leave the profile summary come first, because the
 * number of fields in it is limited.
 */
function planProfileFields(planning: Planning) {
  const fields = planning.declaration.profile_fields.map((field, index) => ({ field, index }));
  const leaves = ({ displayInProfileSummary }: DeclaredProfileField) =>
    displayInProfileSummary === false ? 0 : 1;
  for (const { field, index } of fields.toSorted((a, b) => leaves(a.field) - leaves(b.field))) {
    planProfileField(planning, field, index);
  }
  requireRoomInSummary(planning);
}

function requireRoomInSummary({ declaration, stored, problems }: Planning) {
  const declared = new Map(
    declaration.profile_fields.map((field) => [field.name, field.displayInProfileSummary]),
  );
  const stay = stored.profileFields.filter(
    ({ name, isInSummary }) => isInSummary && declared.get(name) === undefined,
  );
  let room = summaryFieldsMax - stay.length;
  declaration.profile_fields.forEach(({ displayInProfileSummary }, index) => {
    if (!displayInProfileSummary || room-- > 0) return;
    const message = `at most ${summaryFieldsMax} fields are in the profile summary.`;
    problems.push({ path: ["profile_fields", index, "display_in_profile_summary"], message });
  });
}

function planProfileField(
  { stored, changes, problems }: Planning,
  field: DeclaredProfileField,
  index: number,
) {
  const path = ["profile_fields", index];
  const storedField = stored.profileFields.find(({ name }) => name === field.name);
  if (!storedField) {
    changes.push(addField(path, field));
    return;
  }
  if (storedField.type !== field.type) {
    const message = `the profile field '${field.name}' is of the type ${fieldTypeName(storedField.type)}, which stays.`;
    problems.push({ path: [...path, "type"], message });
    return;
  }
  const keysChanged = differencesOf(storedField, field);
  if (keysChanged.length > 0) changes.push(changeField(path, storedField.id, field, keysChanged));
}

/** Keys of the file whose values differ from the stored ones. */
function differencesOf(storedField: ProfileField, field: DeclaredProfileField): string[] {
  const pairs: [string, unknown, unknown][] = [
    ["hint", field.hint, storedField.hint],
    ["field_data", field.fieldData, storedField.fieldData],
    ["display_in_profile_summary", field.displayInProfileSummary, storedField.isInSummary],
    ["required", field.required, storedField.isRequired],
    ["editable_by_user", field.editableByUser, storedField.isEditableByUser],
    ["use_for_user_matching", field.useForUserMatching, storedField.isForMatching],
  ];
  return pairs
    .filter(([, wanted, now]) => wanted !== undefined && wanted !== now)
    .map(([name]) => name);
}

const addField = (path: Path, field: DeclaredProfileField): Change => ({
  lines: [`+ profile field ${field.name} (${fieldTypeName(field.type)})`],
  path,
  carryOut: ({ tx, ctx }) =>
    createProfileFieldIn(tx, ctx, { ...fieldInput(field), fieldType: field.type }),
});

const changeField = (
  path: Path,
  id: number,
  field: DeclaredProfileField,
  keysChanged: string[],
): Change => ({
  lines: [`~ profile field ${field.name}: ${keysChanged.join(", ")}`],
  path,
  carryOut: ({ tx, ctx }) => updateProfileFieldIn(tx, ctx, { ...fieldInput(field), fieldId: id }),
});

/** The input of the verb for a field. Properties that the file leaves out stay unchanged. */
const fieldInput = ({ type: _, fieldData, ...field }: DeclaredProfileField) => ({
  ...field,
  fieldData: fieldData === undefined || fieldData === "" ? undefined : JSON.parse(fieldData),
});

const dumpProfileFields = ({ stored }: Dumping) =>
  stored.profileFields.map((field) =>
    present({
      name: field.name,
      type: fieldTypeName(field.type),
      hint: field.hint,
      field_data: field.fieldData === "" ? undefined : JSON.parse(field.fieldData),
      // False is left out, because a new field is made before other fields leave the summary.
      display_in_profile_summary: field.isInSummary || undefined,
      required: field.isRequired,
      editable_by_user: field.isEditableByUser,
      use_for_user_matching: field.isForMatching,
    }),
  );
