import { stemIn } from "./stems";
import { wordsOf } from "./words";

/** Words of a search: phrases, each of one or more successive words. */
export interface SearchWords {
  phrases: readonly (readonly string[])[];
  /**
   * Highlighted phrases: those of the search, or their single letters in scripts without spaces.
   */
  shown: readonly (readonly string[])[];
  /** Language of the organization, and the stems in it of words outside quotation marks, by key. */
  language: string;
  stems: ReadonlyMap<string, string>;
}

/** Most words of a search. */
export const searchedWordsMax = 100;

/**
 * Parses a search: words, and phrases in quotation marks; a message must contain all of them. A
 * piece without a space, such as an address or Japanese, is a phrase of its own. A single word is
 * found by its stem in the organization's language, too.
 */
export function readSearch(typed: string, language = "en"): SearchWords {
  const phrases: string[][] = [];
  const shown: string[][] = [];
  const stems = new Map<string, string>();
  const stem = stemIn(language);
  for (const [chunk] of typed.matchAll(/"[^"]*"|[^\s"]+/g)) {
    const keys = keysOf(chunk);
    if (keys.length > 0) phrases.push(keys);
    const [only, ...others] = stem && !chunk.startsWith('"') ? wordsOf(chunk) : [];
    if (stem && only && others.length === 0)
      stems.set(only.key, stem(chunk.slice(only.start, only.end)));
    for (const piece of chunk.split(/[\s"]+/)) {
      const keysOfPiece = keysOf(piece);
      if (keysOfPiece.length > 0) shown.push(keysOfPiece);
    }
  }
  return { phrases, shown, language, stems };
}

const keysOf = (text: string) => [...wordsOf(text)].map(({ key }) => key);
