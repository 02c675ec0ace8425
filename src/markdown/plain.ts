/**
 * Expressions for texts without any Markdown. A point or a colon may only stand at the end of a
 * word.
 */
const mark = String.raw`[\p{M}--[\ufe0f\u20e3]]`;
const line = String.raw`\p{L}(?:[\p{L}${mark}0-9 ,;!?'"\(\)_\-]|[.:](?=[ \n]|$))*`;
/**
 * A line of English. It is checked first, because its check needs no table of letters, which takes
 * long to build.
 */
const ascii = /^[A-Za-z][A-Za-z0-9 ,;!?'"()_-]*$/;
let inAnyScript: RegExp | undefined;

function isPlain(source: string): boolean {
  if (ascii.test(source)) return true;
  inAnyScript ??= new RegExp(String.raw`^${line}(?:\n{1,2}${line})*$`, "v");
  return inAnyScript.test(source);
}

/** Length limit. Longer texts are rare, so the parser renders them. */
const lengthMax = 1_000;

/**
 * The HTML of a text of plain words, equal to the parser's but made much faster, because most texts
 * are plain. Undefined for a text that needs the parser.
 */
export function renderPlain(source: string): string | undefined {
  if (source.length > lengthMax || source.endsWith(" ") || !isPlain(source)) return undefined;
  if (!source.includes("\n")) return `<p>${source}</p>`;
  if (source.includes(" \n")) return undefined;
  return `<p>${source.replaceAll("\n\n", "</p>\0<p>").replaceAll("\n", "<br>\n").replaceAll("\0", "\n")}</p>`;
}
