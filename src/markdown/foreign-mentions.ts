import { parseMarkdown } from "./render";

/** An `@` that begins a mention, or could begin one with the text after it. */
const mention = /@(?=_?(?:\*|$))/g;
/** Sign in place of such an `@`, until it is settled: a noncharacter, which no text has. */
const foreignSign = "\ufdd0";
const numbered = /\ufdd0(\d+)\ufdd1/g;
/** Entity that only looks like the sign. Code would show it as it is written. */
const harmlessSign = "&#64;";

/** Length of a text that is parsed at once: longer ones would hold the event loop too long. */
const parsedLengthMax = 2_000;

const codeTypes = ["code_inline", "code_block", "fence", "math"];

/** Markdown of others as a part of a text, whose mentions `settleMentions` makes harmless. */
export const markMentions = (markdown: string) => markdown.replace(mention, foreignSign);

/**
 * A whole text in which no marked mention is one: in code they stay as they were written, because
 * none is one there, elsewhere they get an entity. Code must not be cut afterwards, because it might
 * be none any more: where the entities make the text longer than `lengthMax`, code gets them, too. So does code of a
 * text of more than 2,000 characters, which is not parsed: it shows them in place of the sign.
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

/** Markdown of others as a whole text, which mentions nobody. */
export const withoutMentions = (markdown: string) => settleMentions(markMentions(markdown));

/** Places, among the marked mentions of a text, of those in code. */
function marksInCode(text: string): Set<number> {
  let count = 0;
  const source = text.replaceAll(foreignSign, (sign) => `${sign}${count++}\ufdd1`);
  const tokens = parseMarkdown(source).flatMap((token) => [token, ...(token.children ?? [])]);
  const code = tokens.filter(({ type }) => codeTypes.includes(type));
  return new Set(
    code.flatMap(({ content }) => [...content.matchAll(numbered)].map(([, at]) => Number(at))),
  );
}
