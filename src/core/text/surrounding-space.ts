/**
 * The words of a text, and the space before and after them. A text that consists only of space has
 * no words. No regular expression splits it, because a long run of spaces would take quadratic
 * time.
 */
export function splitSpaceAround(text: string): { before: string; words: string; after: string } {
  const words = text.trim();
  if (words === "") return { before: text, words, after: "" };
  const after = text.slice(text.trimEnd().length);
  return { before: text.slice(0, text.indexOf(words)), words, after };
}
