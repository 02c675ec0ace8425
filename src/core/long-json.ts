import { JsonMembers, JsonPieces, JsonText, membersJson, toJson } from "./raw-json";
import { isRecord } from "./record";
import { turn } from "./turn";

/** A list or an object of so many items is written piece by piece. */
const itemsMin = 64;
/** Length of a piece, and the length after which other work has its turn. */
const pieceLength = 65_536;
const lengthPerTurn = 262_144;
/** A text so long is a piece of its own: where others hold it too, it is not copied. */
const sharedLength = 4_096;

/** Whether an object's JSON may be so long that others should have a turn while it is written. */
export const isLong = (object: object): boolean =>
  Object.values(object).some((value) => itemsOf(value).length >= itemsMin);

/**
 * Least length that the JSON of an object will have, by the texts in it that are JSON already:
 * quick to add up.
 */
export function lengthOfTexts(object: object): number {
  let length = 0;
  for (const value of Object.values(object)) {
    if (!Array.isArray(value)) length += lengthOfText(value);
    // A list holds such texts alone, or none of them.
    else if (value[0] instanceof JsonText) for (const item of value) length += lengthOfText(item);
  }
  return length;
}

const lengthOfText = (value: unknown) =>
  value instanceof JsonText ? value.head.length + value.tail.length : 0;

/** Whether texts of this length are put together piece by piece. */
export const isLongText = (length: number): boolean => length >= lengthPerTurn;

/**
 * The members of an object as JSON: in pieces, with turns for others, where the texts in it are
 * long.
 */
export async function writeMembers(
  object: Record<string, unknown>,
): Promise<JsonMembers | JsonPieces> {
  return isLongText(lengthOfTexts(object))
    ? new JsonPieces(await memberPieces(object))
    : new JsonMembers(membersJson(object));
}

/**
 * The items of a list or the keys of an object, none of any other value. Keys are not put in pieces
 * themselves.
 */
const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isPlain(value) ? Object.keys(value) : [];

const isPlain = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;

/**
 * The members of an object as JSON without the braces, in pieces; those without a value are left
 * out. Long lists and objects among them are written item by item, and others have their turn
 * between.
 */
export async function memberPieces(object: object): Promise<string[]> {
  const pieces: string[] = [];
  let piece = "";
  let length = 0;
  let turnAt = lengthPerTurn;
  for (const text of memberTexts(object)) {
    length += text.length;
    if (text.length >= sharedLength) {
      if (piece !== "") pieces.push(piece);
      pieces.push(text);
      piece = "";
    } else {
      piece += text;
      if (piece.length >= pieceLength) {
        pieces.push(piece);
        piece = "";
      }
    }
    if (length < turnAt) continue;
    turnAt = length + lengthPerTurn;
    await turn();
  }
  if (piece !== "") pieces.push(piece);
  return pieces;
}

function* memberTexts(object: object): Generator<string> {
  let comma = "";
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${comma}${JSON.stringify(name)}:`;
    comma = ",";
    if (Array.isArray(value) && (value.length >= itemsMin || value[0] instanceof JsonText))
      yield* listTexts(value);
    else if (value instanceof JsonText) yield* textsOf(value);
    else if (itemsOf(value).length < itemsMin) yield toJson(value);
    else {
      yield "{";
      yield* memberTexts(value);
      yield "}";
    }
  }
}

function* listTexts(list: readonly unknown[]): Generator<string> {
  let start = "[";
  for (const item of list) {
    if (item instanceof JsonText) {
      yield start;
      yield* textsOf(item);
    } else {
      // An undefined item of a list becomes null, as in JSON.stringify.
      yield start + (item === undefined ? "null" : toJson(item));
    }
    start = ",";
  }
  yield start === "[" ? "[]" : "]";
}

function* textsOf({ head, tail }: JsonText): Generator<string> {
  yield head;
  if (tail !== "") yield tail;
}
