import { cards } from "./en/cards";

/** Texts of the cards of people and groups, which are loaded with them. */
export const cardWords: typeof cards = globalThis.chatdLanguage?.parts.cards ?? cards;
