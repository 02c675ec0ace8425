import { files } from "./en/files";

/** Texts of the list of one's own files, which are loaded with it. */
export const fileWords: typeof files = globalThis.chatdLanguage?.parts.files ?? files;
