import { fold, keyLengthMax } from "./words";

/** The stem of a word in lower case, by the rules of one language. */
type Rules = (word: string) => string;

const rulesIn = ({ stemmer }: { stemmer: Rules }) => stemmer;

/** Rules of the languages other than English, by the code of the language; loaded on first use. */
const languages: Readonly<Record<string, () => Rules>> = {
  ar: () => rulesIn(require("@orama/stemmers/arabic")),
  bg: () => rulesIn(require("@orama/stemmers/bulgarian")),
  da: () => rulesIn(require("@orama/stemmers/danish")),
  de: () => rulesIn(require("@orama/stemmers/german")),
  es: () => rulesIn(require("@orama/stemmers/spanish")),
  fi: () => rulesIn(require("@orama/stemmers/finnish")),
  fr: () => rulesIn(require("@orama/stemmers/french")),
  hi: () => rulesIn(require("@orama/stemmers/indian")),
  hu: () => rulesIn(require("@orama/stemmers/hungarian")),
  id: () => rulesIn(require("@orama/stemmers/indonesian")),
  it: () => rulesIn(require("@orama/stemmers/italian")),
  lt: () => rulesIn(require("@orama/stemmers/lithuanian")),
  nl: () => rulesIn(require("@orama/stemmers/dutch")),
  pt: () => rulesIn(require("@orama/stemmers/portuguese")),
  ro: () => rulesIn(require("@orama/stemmers/romanian")),
  ru: () => rulesIn(require("@orama/stemmers/russian")),
  sr: () => rulesIn(require("@orama/stemmers/serbian")),
  sv: () => rulesIn(require("@orama/stemmers/swedish")),
  ta: () => rulesIn(require("@orama/stemmers/tamil")),
  tr: () => rulesIn(require("@orama/stemmers/turkish")),
  uk: () => rulesIn(require("@orama/stemmers/ukrainian")),
};

/** Languages whose words have stems of their own. */
export const stemmedLanguages: readonly string[] = Object.keys(languages);

/** The stem of a word as it is typed. */
export type Stem = (word: string) => string;

const cachedMax = 20_000;
const stems = new Map<string, Stem>();

/**
 * The stems of an organization's language, such as `de` or `pt-br`; undefined for English, whose
 * endings are taken from every word, and for languages without rules.
 */
export function stemIn(code: string): Stem | undefined {
  const [language = ""] = code.toLowerCase().split("-");
  const before = stems.get(language);
  if (before || !Object.hasOwn(languages, language)) return before;
  const rules = languages[language]?.();
  if (!rules) return undefined;
  const made = caching((word) => stemBy(rules, word));
  stems.set(language, made);
  return made;
}

/** Accents are taken off last, because the rules of a language know them. */
const stemBy = (rules: Rules, word: string): string =>
  fold(rules(word.slice(0, keyLengthMax).toWellFormed().normalize("NFC").toLowerCase()));

function caching(make: Stem): Stem {
  const cache = new Map<string, string>();
  return (word) => {
    const before = cache.get(word);
    if (before !== undefined) return before;
    const stem = make(word);
    if (cache.size >= cachedMax) cache.clear();
    if (word.length <= keyLengthMax) cache.set(word, stem);
    return stem;
  };
}
