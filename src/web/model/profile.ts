import type { ProfileField } from "./wire";

interface FieldChoice {
  readonly text: string;
  readonly order: string | number;
}

/** The choices of a list field, in order: the value and the text of each. */
export function choicesOfField({
  field_data,
}: Pick<ProfileField, "field_data">): readonly (readonly [value: string, words: string])[] {
  try {
    const choices: Readonly<Record<string, FieldChoice>> = JSON.parse(field_data);
    return Object.entries(choices)
      .toSorted(([, one], [, other]) => Number(one.order) - Number(other.order))
      .map(([value, { text }]) => [value, text] as const);
  } catch {
    return [];
  }
}

/** Ids of the people that a field's value lists; empty if it is not a list of people. */
export function idsOfValue(value: string): readonly number[] {
  try {
    const ids: unknown = JSON.parse(value);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "number") : [];
  } catch {
    return [];
  }
}
