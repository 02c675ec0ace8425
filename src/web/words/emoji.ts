import { emoji } from "./en/emoji";

/** Texts about the organization's own emoji, which are loaded with the settings. */
export const emojiWords: typeof emoji = globalThis.chatdLanguage?.parts.emoji ?? emoji;
