import type { Source } from "./source-tree";

/** Words that begin a sentence without a noun, as in "What a bot is told of". */
const headless =
  /^(?:What|Whatever|Who|Whoever|Whom|Whose|Which|Whichever|Those|That|How|Like)\b[^?]*$/;

/** Words that leave open which two things are equal. */
const vague = /\bthe same\b/i;

const opening = /^\s*(?:\/\*\*?|\/\/)(?:\s|$)/;

interface Comment {
  /** The line on which it begins, from 1. */
  line: number;
  /** Its lines as they stand in the file. */
  lines: string[];
  /** Its text, without the marks of a comment. */
  words: string;
}

/** Comments on lines of their own. */
function commentsOf({ text }: Source): Comment[] {
  const lines = text.split("\n");
  const comments: Comment[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!opening.test(lines[at] ?? "")) continue;
    const begin = at;
    const isBlock = lines[at]?.includes("/*") ?? false;
    if (isBlock) while (at + 1 < lines.length && !lines[at]?.includes("*/")) at++;
    else while (/^\s*\/\//.test(lines[at + 1] ?? "")) at++;
    const own = lines.slice(begin, at + 1);
    const inner = own.map((line) =>
      line.replace(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/) ?/, "").replace(/\s*\*\/.*$/, ""),
    );
    comments.push({ line: begin + 1, lines: own, words: inner.join("\n") });
  }
  return comments;
}

interface Sentence {
  /** The line on which its comment begins. */
  line: number;
  sentence: string;
}

/** Sentences of comments that begin without a noun. */
export const headlessSentences = (source: Source): Sentence[] =>
  sentencesOf(source).filter(({ sentence }) => headless.test(sentence));

/** Sentences of comments that compare things without naming both. */
export const vagueSentences = (source: Source): Sentence[] =>
  sentencesOf(source).filter(({ sentence }) => vague.test(sentence));

/** Lines of comments that have more columns than the code may have, but for addresses. */
export const wideLines = (source: Source, columnsMax: number) =>
  commentsOf(source).flatMap(({ line, lines }) =>
    lines
      .map((text, index) => ({ line: line + index, columns: text.length, text }))
      .filter(({ columns, text }) => columns > columnsMax && !/https?:\/\//.test(text)),
  );

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

/** A name of the code in backticks: two words at least, so that it is no field of the protocol. */
const quotedName = /`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?:\(\))?`/g;

/** Names in comments that no code has, with the line on which each comment begins. */
export function missingNames(sources: readonly Source[]) {
  const names = new Set(
    sources.flatMap(({ text }) => withoutComments(text).match(/[\w$]+/g) ?? []),
  );
  return sources.flatMap((source) =>
    commentsOf(source).flatMap(({ line, words }) =>
      [...words.matchAll(quotedName)]
        .map(([, name = ""]) => ({ path: source.path, line, name }))
        .filter(({ name }) => !names.has(name)),
    ),
  );
}

const withoutComments = (text: string) => text.replace(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/[^\n]*/gm, "");
