import { en, type Words } from "./en";
import type { Language } from "./language";

const english: Omit<Language, "parts"> = { tag: "en", direction: "ltr", words: en };
const chosen = globalThis.chatdLanguage ?? english;

/** The texts of the page's language: English if there is no file for the reader's language. */
export const words: Words = chosen.words;

/** The tag of that language, for dates and lists. */
export const language = chosen.tag;

const numbers = new Intl.NumberFormat(language);

/** A number as it is written in that language. */
export const grouped = (number: number): string => numbers.format(number);

/** Marks the page with the language, for screen readers, hyphenation and the writing direction. */
export function markLanguage(): void {
  document.documentElement.lang = chosen.tag;
  document.documentElement.dir = chosen.direction;
}
