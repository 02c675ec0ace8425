import { search } from "./en/search";

/** Texts of the search, which are loaded with its field. */
export const searchWords: typeof search = globalThis.chatdLanguage?.parts.search ?? search;
