import { wordsOf } from "./words";

/** Words of a search: phrases, each of one or more successive words. */
export interface SearchWords {
  phrases: readonly (readonly string[])[];
  /**
   * Highlighted phrases: those of the search, or their single letters in scripts without spaces.
   */
  shown: readonly (readonly string[])[];
}

/** Most words of a search. */
export const searchedWordsMax = 100;

/**
 * Parses a search: words, and phrases in quotation marks; a message must contain all of them. A
 * piece without a space, such as an address or Japanese, is a phrase of its own.
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
