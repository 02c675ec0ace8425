import { later } from "./en/later";

/** Texts of what is sent later, which are loaded with the views that show them. */
export const laterWords: typeof later = globalThis.chatdLanguage?.parts.later ?? later;
