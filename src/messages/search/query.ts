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
