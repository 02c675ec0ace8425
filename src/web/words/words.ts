import { en, type Words } from "./en";

/** Texts of the language that the page is read in. */
export const words: Words = en;

/** Tag of that language, for dates and lists. */
export const language = "en";
