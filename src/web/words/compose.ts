import { compose } from "./en/compose";

/** Texts of the box in which messages are written, which are loaded with it. */
export const composeWords: typeof compose = globalThis.chatdLanguage?.parts.compose ?? compose;
