import { turn } from "../turns/turn";
import { JsonMembers, JsonPieces, JsonText, membersJson, toJson } from "./raw-json";
import { isRecord } from "./record";

/** A list or an object of at least so many items is written item by item. */
const itemsMin = 64;
/** Length of a piece, after which other work gets its turn. */
const pieceLength = 65_536;
const lengthPerTurn = 262_144;
/** Texts of at least this length are pieces of their own. */
const sharedLength = 4_096;

/**
 * Texts that are put together: long ones stay pieces of their own, so that texts that others share
 * are not copied.
 */
export class PieceList {
  private readonly pieces: string[] = [];
  private short = "";

  constructor(private readonly longLength = sharedLength) {}

  add(text: string) {
    if (text.length >= this.longLength) this.end().push(text);
    else {
      this.short += text;
      if (this.short.length >= pieceLength) this.end();
    }
  }

  /** All pieces; further ones are added to the list. */
  end(): string[] {
    if (this.short !== "") this.pieces.push(this.short);
    this.short = "";
    return this.pieces;
  }
}

/** Whether an object's JSON may be so long that other work should get turns while it is written. */
export const isLong = (object: object): boolean =>
  Object.values(object).some((value) => itemCount(value) >= itemsMin);

/** Least length of an object's JSON, which is the sum of the texts in it that are JSON already. */
export function lengthOfTexts(object: object): number {
  let length = 0;
  for (const value of Object.values(object)) {
    if (!Array.isArray(value)) length += lengthOfText(value);
    // A list has either only such texts or none.
    else if (value[0] instanceof JsonText) for (const item of value) length += lengthOfText(item);
  }
  return length;
}

const lengthOfText = (value: unknown) =>
  value instanceof JsonText ? value.head.length + value.tail.length : 0;

/** Whether texts of this length are joined piece by piece. */
export const isLongText = (length: number): boolean => length >= lengthPerTurn;

/**
 * The members of an object as JSON, in pieces. Long texts are written with turns for other work
 * between the pieces.
 */
export async function writeMembers(
  object: Record<string, unknown>,
): Promise<JsonMembers | JsonPieces> {
  return isLongText(lengthOfTexts(object))
    ? new JsonPieces(await memberPieces(object))
    : new JsonMembers(membersJson(object));
}

/** Number of items of a list, or of keys of an object; 0 for any other value. */
const itemCount = (value: unknown): number =>
  Array.isArray(value) ? value.length : isPlain(value) ? Object.keys(value).length : 0;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;

/**
 * The members of an object as JSON without the braces, in pieces; members without a value are left
 * out. Long lists and objects are written item by item, with turns for other work between.
 */
export async function memberPieces(object: object): Promise<string[]> {
  const pieces = new PieceList();
  let length = 0;
  let turnAt = lengthPerTurn;
  for (const text of memberTexts(object)) {
    length += text.length;
    pieces.add(text);
    if (length < turnAt) continue;
    turnAt = length + lengthPerTurn;
    await turn();
  }
  return pieces.end();
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
    else if (!isPlain(value) || itemCount(value) < itemsMin) yield toJson(value);
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
