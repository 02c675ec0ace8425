import { keys } from "./en/keys";

/** Texts of the commands, the palette and the list of keys, which are loaded with them. */
export const keyWords: typeof keys = globalThis.chatdLanguage?.parts.keys ?? keys;
