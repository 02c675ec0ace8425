import { accounts } from "./en/accounts";

/** Texts about the accounts of others, which are loaded with the settings. */
export const accountWords: typeof accounts = globalThis.chatdLanguage?.parts.accounts ?? accounts;
