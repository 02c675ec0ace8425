import type { TSchema } from "@sinclair/typebox";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";

/** Characters of the longest JSON in which the place is searched, because a search is slow. */
const searchedMax = 4_000;

/**
 * Sentence that refuses a JSON value, written as `json`, that does not fit its parameter. It names
 * the first place that does not fit, as in `drafts[0]["to"][1]`; of a long value, the parameter.
 */
export function valueRefusal(schema: TSchema, name: string, value: unknown, json: string): string {
  const error = json.length > searchedMax ? undefined : Value.Errors(schema, value).First();
  if (error === undefined) return wrongType(schema, name);
  return reasonOf(error, placeIn(name, error.path));
}

function reasonOf({ type, schema }: ValueError, place: string): string {
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return `${place} is missing.`;
    case ValueErrorType.ArrayMaxItems:
      return `${place} has more than ${schema["maxItems"]} elements.`;
    case ValueErrorType.StringMaxLength:
      return `${place} has more than ${schema["maxLength"]} characters.`;
    default:
      return wrongType(schema, place);
  }
}

function wrongType(schema: TSchema, place: string): string {
  const words = wordsOf(schema);
  if (words) return `${place} must be one of ${words.join(", ")}.`;
  const expected: string | undefined = schema["type"];
  if (expected === undefined) return `${place} is of a wrong type.`;
  const { minimum, maximum } = schema;
  const isRanged =
    expected === "integer" && minimum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return isRanged
    ? `${place} must be a whole number from ${minimum} to ${maximum}.`
    : `${place} is not a valid ${expected}.`;
}

/** The words, as JSON, where a schema allows nothing else. */
function wordsOf(schema: TSchema): string[] | undefined {
  const alternatives: TSchema[] = schema["anyOf"] ?? [];
  const words = alternatives.map((alternative) => alternative["const"]);
  const isOfWords = words.length > 0 && words.every((word) => typeof word === "string");
  return isOfWords ? words.map((word) => JSON.stringify(word)) : undefined;
}

/** Characters of the longest place that is named: its keys may come from the client. */
const placeLengthMax = 100;

/** A JSON pointer (RFC 6901) below a parameter, as a client writes it. */
function placeIn(name: string, pointer: string): string {
  const keys = pointer.split("/").slice(1);
  const steps = keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `["${unescaped(key)}"]`));
  const place = name + steps.join("");
  return place.length > placeLengthMax ? name : place;
}

const unescaped = (key: string) => key.replaceAll("~1", "/").replaceAll("~0", "~");
