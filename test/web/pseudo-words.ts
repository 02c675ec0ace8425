import type { Language } from "../../src/web/words/language";

/* Languages that nobody speaks, made of English, which show what other languages would break. */

/** Tags of pseudo-languages, as they are customary: of longer words, and from right to left. */
export type PseudoLanguage = "en-XA" | "ar-XB";

/** A text that is 40 % longer, as in other languages. */
const lengthened = (text: string): string => text + "·".repeat(Math.ceil(text.length * 0.4));

/** A text whose letters stand from right to left: each word, so that lines break between them. */
export const turned = (text: string): string => text.replaceAll(/\S+/g, "\u202e$&\u202c");

const changes = { "en-XA": lengthened, "ar-XB": turned } as const;

/** A language with each text of another one changed, those that functions make too. */
export const pseudoLanguage = ({ words, parts }: Language, tag: PseudoLanguage): Language => ({
  tag,
  direction: tag === "ar-XB" ? "rtl" : "ltr",
  words: changed(words, changes[tag]),
  parts: changed(parts, changes[tag]),
});

function changed<Value>(value: Value, change: (text: string) => string): Value;
function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value === "function")
    return (...given: unknown[]) => changed(Reflect.apply(value, undefined, given), change);
  if (value instanceof Map)
    return new Map([...value].map(([key, text]) => [key, changed(text, change)]));
  if (Array.isArray(value)) return value.map((part) => changed(part, change));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, changed(part, change)]),
  );
}
