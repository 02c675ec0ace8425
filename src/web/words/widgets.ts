import { widgets } from "./en/widgets";

/** Texts of polls and to-do lists, which are loaded with them. */
export const widgetWords: typeof widgets = globalThis.chatdLanguage?.parts.widgets ?? widgets;
