/*
 * Data of widgets, which are texts in JSON that clients of all kinds have written: nothing is sure.
 */

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of a JSON object; empty if the text is not a JSON object. */
export function membersIn(json: string): Members {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The index of something that a person has added; undefined if the value is not an index. */
export const indexOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;

/** Somebody's action on a widget. */
export interface WidgetAction {
  readonly senderId: number;
  readonly isByAuthor: boolean;
  readonly data: Members;
}
