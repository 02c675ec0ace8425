import { settings } from "./en/settings";

/** Texts of one's own settings, which are loaded with them. */
export const settingsWords: typeof settings = globalThis.chatdLanguage?.parts.settings ?? settings;
