import type { Dialect } from "../../../db/schema";
import { wordsOf } from "./words";

/** Words that somebody searches for: phrases, each of one or more words that follow each other. */
export interface SearchWords {
  phrases: readonly (readonly string[])[];
  /**
   * Words that are shown as found: the words of the phrases, each of its letters where words have
   * no spaces between them.
   */
  shown: readonly (readonly string[])[];
}

/** More words than this are not looked for. */
export const searchedWordsMax = 100;

/**
 * Reads what somebody has typed: words, and phrases in quotation marks; all of them must be in a
 * message. A piece without a space in it, such as an address or Japanese, is a phrase of its own.
 */
export function readSearch(typed: string): SearchWords {
  const phrases: string[][] = [];
  const shown: string[][] = [];
  for (const [chunk] of typed.matchAll(/"[^"]*"|[^\s"]+/g)) {
    const keys = keysOf(chunk);
    if (keys.length > 0) phrases.push(keys);
    for (const piece of chunk.split(/[\s"]+/)) {
      const keysOfPiece = keysOf(piece);
      if (keysOfPiece.length > 0) shown.push(keysOfPiece);
    }
  }
  return { phrases, shown };
}

const keysOf = (text: string) => [...wordsOf(text)].map(({ key }) => key);

/** A condition on what the index has of a message. */
export type Match =
  | { kind: "phrase"; keys: readonly string[] }
  | { kind: "all" | "any"; of: readonly Match[] }
  | { kind: "not"; of: Match };

export const phrase = (...keys: string[]): Match => ({ kind: "phrase", keys });
export const allOf = (of: readonly Match[]): Match => ({ kind: "all", of });
export const anyOf = (of: readonly Match[]): Match => ({ kind: "any", of });

/**
 * The text of a condition for FTS5 or as a `tsquery`. Conditions are combined with at least one
 * that is not negated.
 */
export const matchText = (dialect: Dialect, match: Match): string =>
  dialect === "sqlite" ? ftsText(match) : tsqueryText(match);

function ftsText(match: Match): string {
  switch (match.kind) {
    case "phrase":
      return `"${match.keys.join(" ")}"`;
    case "any":
      return `(${match.of.map(ftsText).join(" OR ")})`;
    case "not":
      throw new Error("FTS5 knows what is not there only beside what is.");
    case "all": {
      const wanted = match.of.filter(({ kind }) => kind !== "not").map(ftsText);
      const unwanted = match.of.flatMap((one) => (one.kind === "not" ? [ftsText(one.of)] : []));
      const text = `(${wanted.join(" AND ")})`;
      return unwanted.length === 0 ? text : `(${text} NOT (${unwanted.join(" OR ")}))`;
    }
  }
}

function tsqueryText(match: Match): string {
  switch (match.kind) {
    case "phrase":
      return `(${match.keys.map((key) => `'${key}'`).join(" <-> ")})`;
    case "not":
      return `!${tsqueryText(match.of)}`;
    default:
      return `(${match.of.map(tsqueryText).join(match.kind === "all" ? " & " : " | ")})`;
  }
}
