import { search } from "./en/search";

/** Texts of the search. */
export const searchWords: typeof search = globalThis.chatdLanguage?.parts.search ?? search;
