import { en, type Words } from "./en";
import type { Language } from "./language";

const english: Omit<Language, "parts"> = { tag: "en", direction: "ltr", words: en };
const chosen = globalThis.chatdLanguage ?? english;

/** Texts of the language that the page is read in: English where its reader's own has no file. */
export const words: Words = chosen.words;

/** Tag of that language, for dates and lists. */
export const language = chosen.tag;

/** Takes note in the page of the language, for voices, hyphens and the side that lines begin at. */
export function markLanguage(): void {
  document.documentElement.lang = chosen.tag;
  document.documentElement.dir = chosen.direction;
}
