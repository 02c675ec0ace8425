import type { Words } from "./en";

/** A language that the page can be read in. */
export interface Language {
  /** Its tag, for dates, lists and the order of names. */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  readonly words: Words;
}

declare global {
  /**
   * The language that the page is read in, which a file of its own sets before the client begins:
   * `words-de.ts` says `globalThis.chatdLanguage = { tag: "de", direction: "ltr", words: de }`. It
   * imports types alone, or the bundler would take the first file of the client apart. The page
   * loads the file by its reader's `default_language`.
   */
  var chatdLanguage: Language | undefined;
}
