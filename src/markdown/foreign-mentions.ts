import { parseMarkdown } from "./render";

/** An `@` that begins a mention, or that could begin one together with text after it. */
const mention = /@(?=_?(?:\*|$))/g;
/**
 * Sign that replaces such an `@` until `settleMentions` decides about it. It is a noncharacter of
 * Unicode, which no text contains.
 */
const foreignSign = "\ufdd0";
const numbered = /\ufdd0(\d+)\ufdd1/g;
/**
 * Entity that is shown as `@` but begins no mention. In code it would be shown as it is written.
 */
const harmlessSign = "&#64;";

/**
 * Length limit of a text that is parsed here, because parsing a longer text would block the event
 * loop too long.
 */
const parsedLengthMax = 2_000;

const codeTypes = ["code_inline", "code_block", "fence", "math"];

/**
 * Marks the mentions in somebody else's Markdown, which becomes a part of a text. `settleMentions`
 * later makes them harmless.
 */
export const markMentions = (markdown: string) => markdown.replace(mention, foreignSign);

/**
 * Makes the marked mentions of a whole text harmless. In code they become `@` again, because code
 * contains no mentions. Elsewhere they become an entity. A text with `@` in code must not be cut
 * afterwards, because the cut could end the code, so they become the entity in code too if the text
 * is then longer than `lengthMax`. They also do in a text of more than 2,000 characters, which is
 * not parsed: its code shows the entity as it is written.
 */
export function settleMentions(text: string, lengthMax = Number.POSITIVE_INFINITY): string {
  if (!text.includes(foreignSign)) return text;
  if (text.length > parsedLengthMax) return text.replaceAll(foreignSign, harmlessSign);
  const isInCode = marksInCode(text);
  let place = 0;
  const outside = text.replaceAll(foreignSign, (sign) =>
    isInCode.has(place++) ? sign : harmlessSign,
  );
  const left = outside.split(foreignSign).length - 1;
  const isSafe = marksInCode(outside).size === left && outside.length <= lengthMax;
  return outside.replaceAll(foreignSign, isSafe ? "@" : harmlessSign);
}

/** Somebody else's Markdown as a whole text that mentions nobody. */
export const withoutMentions = (markdown: string) => settleMentions(markMentions(markdown));

/** Numbers of the marked mentions that are in code, counted from the beginning of the text. */
function marksInCode(text: string): Set<number> {
  let count = 0;
  const source = text.replaceAll(foreignSign, (sign) => `${sign}${count++}\ufdd1`);
  const tokens = parseMarkdown(source).flatMap((token) => [token, ...(token.children ?? [])]);
  const code = tokens.filter(({ type }) => codeTypes.includes(type));
  return new Set(
    code.flatMap(({ content }) => [...content.matchAll(numbered)].map(([, at]) => Number(at))),
  );
}
