/** Texts that hold nothing that Markdown gives a meaning to. A point or a colon ends a word. */
const mark = String.raw`[\p{M}--[\ufe0f\u20e3]]`;
const line = String.raw`\p{L}(?:[\p{L}${mark}0-9 ,;!?'"\(\)_\-]|[.:](?=[ \n]|$))*`;
/** A line of English. Taking it apart costs no table of letters, which takes a while to make. */
const ascii = /^[A-Za-z][A-Za-z0-9 ,;!?'"()_-]*$/;
let inAnyScript: RegExp | undefined;

function isPlain(source: string): boolean {
  if (ascii.test(source)) return true;
  inAnyScript ??= new RegExp(String.raw`^${line}(?:\n{1,2}${line})*$`, "v");
  return inAnyScript.test(source);
}

/** Longer texts are rare. */
const lengthMax = 1_000;

/**
 * The HTML of a text of nothing but words, as the parser would write it but in a small part of the
 * time, because most texts are such. Undefined when the parser has to look at the text.
 */
export function renderPlain(source: string): string | undefined {
  if (source.length > lengthMax || source.endsWith(" ") || !isPlain(source)) return undefined;
  if (!source.includes("\n")) return `<p>${source}</p>`;
  if (source.includes(" \n")) return undefined;
  return `<p>${source.replaceAll("\n\n", "</p>\0<p>").replaceAll("\n", "<br>\n").replaceAll("\0", "\n")}</p>`;
}
