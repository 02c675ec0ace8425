import { lightbox } from "./en/lightbox";

/** Texts of the lightbox, which are loaded with it. */
export const lightboxWords: typeof lightbox = globalThis.chatdLanguage?.parts.lightbox ?? lightbox;
