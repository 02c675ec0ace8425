/**
 * The members of an object that are already JSON, without the braces, so that others can be added:
 * `"a":1,"b":2`.
 */
export class JsonMembers {
  constructor(readonly text: string) {}
}

/** JSON of a long answer, in pieces that give it when they are put together. */
export class JsonPieces {
  constructor(readonly pieces: readonly string[]) {}
}

/** The items of a list in JSON, with commas between. */
export const commaBetween = (items: readonly string[]): string[] =>
  items.flatMap((item, index) => (index === 0 ? [item] : [",", item]));

/** A value that is already JSON, inside of others that are not. */
export class JsonText {
  /**
   * The JSON is `head` and then `tail`: a long head that many values begin with is in memory once.
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
 * JSON of a value, as `JSON.stringify` gives it, in which texts may stand for values: at the top,
 * in a list, or as a member.
 */
export function toJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value[0] instanceof JsonText ? `[${value.map(toJson).join(",")}]` : JSON.stringify(value);
}

/** The members of an object as JSON without the braces; those without a value are left out. */
export function membersJson(object: Record<string, unknown>): string {
  // Added up, not joined: long texts are then copied once, when all of the answer is there.
  let members = "";
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const member = `${JSON.stringify(name)}:${toJson(value)}`;
    members = members === "" ? member : `${members},${member}`;
  }
  return members;
}

/** So many variants of an object's JSON are remembered at the most. */
const variantsMax = 8;

/**
 * Remembers how objects look as JSON, by variant, for objects that are read once and shown often.
 * It forgets a text with its object. The object and the variant alone must decide what `make`
 * answers.
 */
export function jsonMemory<Source extends object>(): (
  source: Source,
  variant: string,
  make: () => unknown,
) => JsonText {
  const texts = textMemory<Source>();
  return (source, variant, make) => texts(source, variant, () => JSON.stringify(make()));
}

/** Memory of the JSON texts of objects that do not change. */
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
