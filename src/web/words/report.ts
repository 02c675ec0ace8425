import { report } from "./en/report";

/** Texts of reports, which are loaded with the dialog that shows them. */
export const reportWords: typeof report = globalThis.chatdLanguage?.parts.report ?? report;
