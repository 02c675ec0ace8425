import { lengthsMax } from "../../../protocol/limits";
import { fieldTypes } from "../../../protocol/profile-field-types";
import { type Given, givenRecord, givenText } from "../json";
import type { StagedRow, StageWriter } from "../stage-writer";
import type { Workspace } from "./workspace";

/**
 * Fields that every profile of Slack has, by the names of the profile fields that they become here.
 */
const commonFacts = { Title: "title", "Phone number": "phone", Pronouns: "pronouns" } as const;

/** A value in somebody's profile. Its name is missing where the export has none. */
interface Fact {
  field: string;
  name: string | undefined;
  value: string;
}

function factsOf(profile: Given): Fact[] {
  const common = Object.entries(commonFacts).map(([name, field]) => ({
    field,
    name,
    value: givenText(profile[field]).trim(),
  }));
  const own = Object.entries(givenRecord(profile["fields"])).map(([field, given]) => {
    const { value, label } = givenRecord(given);
    const name = givenText(label).trim();
    const isName = name !== "" && [...name].length <= lengthsMax.profileFieldName;
    return { field, name: isName ? name : undefined, value: givenText(value).trim() };
  });
  return [...common, ...own].filter(({ value }) => value !== "");
}

/**
 * Adds a profile field for each field in which somebody has a value; answers the ids of the fields
 * by name.
 */
export async function addProfileFields(
  writer: StageWriter,
  users: readonly Given[],
): Promise<Map<string, number>> {
  const longest = new Map<string, number>();
  for (const { name, value } of users.flatMap((user) => factsOf(givenRecord(user["profile"])))) {
    if (name !== undefined) longest.set(name, Math.max(longest.get(name) ?? 0, [...value].length));
  }
  const ids = new Map<string, number>();
  for (const [name, length] of longest) {
    const id = writer.nextId("profile_fields");
    ids.set(name, id);
    await writer.add("profile_fields", {
      id,
      type: length > lengthsMax.profileShortText ? fieldTypes.paragraph : fieldTypes.shortText,
      position: ids.size,
      name,
      hint: "",
      field_data: "",
      is_in_summary: false,
      is_required: false,
      is_editable_by_user: true,
      is_for_matching: false,
    });
  }
  return ids;
}

/** Columns with somebody's profile: values by the ids of the fields. */
export function profileRow(
  { profileFields, report }: Workspace,
  key: string,
  profile: Given,
): StagedRow {
  const values: Record<string, { value: string }> = {};
  for (const { field, name, value } of factsOf(profile)) {
    const id = name === undefined ? undefined : profileFields.get(name);
    if (id === undefined) report.add("profile fields", `${key} ${field}`, "have no name");
    else if ([...value].length > lengthsMax.profileParagraph)
      report.add(
        "profile fields",
        `${key} ${field}`,
        `have more than ${lengthsMax.profileParagraph} characters`,
      );
    else values[id] = { value };
  }
  return { profile_data: JSON.stringify(values) };
}
