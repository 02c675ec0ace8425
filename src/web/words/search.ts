import { search } from "./en/search";

/** Texts of the search. */
export const searchWords = search;
