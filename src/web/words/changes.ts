import { changes } from "./en/changes";

/** Texts of changes of messages, which are loaded with the dialogs that show them. */
export const changeWords: typeof changes = globalThis.chatdLanguage?.parts.changes ?? changes;
