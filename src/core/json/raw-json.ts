/**
 * Members of an object that are JSON already, without the braces, so that others can be added:
 * `"a":1,"b":2`.
 */
export class JsonMembers {
  constructor(readonly text: string) {}
}

/** Members of an object as in `JsonMembers`, as pieces to be joined, because they may be long. */
export class JsonPieces {
  constructor(readonly pieces: readonly string[]) {}

  get length(): number {
    return this.pieces.reduce((length, piece) => length + piece.length, 0);
  }
}

/** The items of a list in JSON, with commas between them. */
export const commaBetween = (items: readonly string[]): string[] =>
  items.flatMap((item, index) => (index === 0 ? [item] : [",", item]));

/** A value that is JSON already, inside of others that are not. */
export class JsonText {
  /**
   * The JSON is `head` followed by `tail`, so that a long head which many values share is in memory
   * once.
   */
  constructor(
    readonly head: string,
    readonly tail: string = "",
  ) {}

  get text(): string {
    return this.tail === "" ? this.head : this.head + this.tail;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * JSON of a value, as `JSON.stringify` gives it. `JsonText` is allowed as a value: at the top, in a
 * list, or as a member.
 */
export function toJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value[0] instanceof JsonText ? `[${value.map(toJson).join(",")}]` : JSON.stringify(value);
}

/** Most names whose JSON is kept: more than the protocol has, because some objects have others. */
const namesMax = 5_000;
const namesInJson = new Map<string, string>();

/** A member's name in JSON, with the colon after it. Most names are asked for again and again. */
function nameJson(name: string): string {
  const found = namesInJson.get(name);
  if (found !== undefined) return found;
  const json = `${JSON.stringify(name)}:`;
  if (namesInJson.size < namesMax) namesInJson.set(name, json);
  return json;
}

/**
 * See `membersJson`, for an object with members that is not large: quicker, but every `JsonText` in
 * it would be parsed again.
 */
export const plainMembers = (object: object): string => JSON.stringify(object).slice(1, -1);

/** The members of an object as JSON without the braces; members without a value are left out. */
export function membersJson(object: Record<string, unknown>): string {
  // Added up, not joined, so that long texts are copied only once, when the whole answer is
  // complete.
  let members = "";
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value === undefined) continue;
    const member = `${nameJson(name)}${memberJson(value)}`;
    members = members === "" ? member : `${members},${member}`;
  }
  return members;
}

/** Numbers and booleans are written directly, because `JSON.stringify` is slower for them. */
const memberJson = (value: unknown): string =>
  typeof value === "boolean" || Number.isFinite(value) ? String(value) : toJson(value);

/** Most variants of one object's JSON that are cached. */
const variantsMax = 8;

/**
 * Caches the JSON of objects, by variant, for objects that are read once and shown often. A text is
 * dropped with its object. The result of `make` must depend only on the object and the variant.
 */
export function jsonMemory<Source extends object>(): (
  source: Source,
  variant: string,
  make: () => unknown,
) => JsonText {
  const texts = textMemory<Source>();
  return (source, variant, make) => texts(source, variant, () => JSON.stringify(make()));
}

/** Caches the JSON of objects that do not change. */
export function textMemory<Source extends object>(): (
  source: Source,
  variant: string,
  write: () => string,
) => JsonText {
  const textsBySource = new WeakMap<Source, Map<string, JsonText>>();
  return (source, variant, write) => {
    const variants = textsBySource.get(source) ?? new Map<string, JsonText>();
    const found = variants.get(variant);
    if (found) return found;
    if (variants.size >= variantsMax) variants.clear();
    const text = new JsonText(write());
    textsBySource.set(source, variants.set(variant, text));
    return text;
  };
}
