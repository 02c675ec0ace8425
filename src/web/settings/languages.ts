/**
 * Codes of the languages that the server accepts as `default_language`. A test compares the two
 * lists.
 */
export const languageCodes =
  "ar bg ca cs cy da de en en-gb es fa fi fr gl gu hi hu id it ja ko lt ml mn nl pl pt pt-br ro ru si sr sv ta tr uk vi zh-hans zh-hant".split(
    " ",
  );

/** The name of a language in the language itself; its code if the browser does not know it. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
