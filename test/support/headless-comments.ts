import type { Source } from "./source-tree";

/** Words that begin a sentence about nothing that was named: "What a bot is told of". */
const headless =
  /^(?:What|Whatever|Who|Whoever|Whom|Whose|Which|Whichever|Those|That|How|Like)\b[^?]*$/;

/** Words that leave it to the reader to find out what is equal to what. */
const vague = /\bthe same\b/i;

const opening = /^\s*(?:\/\*\*?|\/\/)(?:\s|$)/;

/** Comments that stand on lines of their own, with the line that each begins on. */
function commentsOf({ text }: Source): { line: number; words: string }[] {
  const lines = text.split("\n");
  const comments: { line: number; words: string }[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!opening.test(lines[at] ?? "")) continue;
    const begin = at;
    const isBlock = lines[at]?.includes("/*") ?? false;
    if (isBlock) while (at + 1 < lines.length && !lines[at]?.includes("*/")) at++;
    else while (/^\s*\/\//.test(lines[at + 1] ?? "")) at++;
    const inner = lines
      .slice(begin, at + 1)
      .map((line) => line.replace(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/) ?/, "").replace(/\s*\*\/.*$/, ""));
    comments.push({ line: begin + 1, words: inner.join("\n") });
  }
  return comments;
}

interface Sentence {
  /** The line that its comment begins on. */
  line: number;
  sentence: string;
}

/** Sentences of comments that begin without a noun. */
export const headlessSentences = (source: Source): Sentence[] =>
  sentencesOf(source).filter(({ sentence }) => headless.test(sentence));

/** Sentences of comments that call something alike without naming both sides. */
export const vagueSentences = (source: Source): Sentence[] =>
  sentencesOf(source).filter(({ sentence }) => vague.test(sentence));

const sentencesOf = (source: Source): Sentence[] =>
  commentsOf(source).flatMap(({ line, words }) =>
    words
      .split(/\n\s*\n|\n(?=- )/)
      .flatMap((paragraph) =>
        paragraph
          .replace(/\s+/g, " ")
          .trim()
          .split(/(?<=[.:!?] )/),
      )
      .map((sentence) => ({ line, sentence: sentence.trim() })),
  );
