import { composeWords } from "../words/compose";

/** The place in a text of a file that is still being uploaded. */
export interface FilePlace {
  readonly line: string;
  /**
   * The file's name. If the page that wrote the line had another language, it includes the words
   * around the name.
   */
  readonly name: string;
  readonly isInOtherWords: boolean;
}

/** A file's name as the text of a link. */
export const linkText = (name: string): string => name.replaceAll(/[[\]\\`*_\n]/g, "_");

/** The line that marks a file's place until the file is uploaded. */
export const placeholderOf = (name: string, id: number): string =>
  `[${composeWords.uploading(linkText(name), id)}]()`;

const anything = "([^\\]]*)";

/** The text of the page's language, with any name and number. */
const ownForm = composeWords
  .uploading("\n", 0)
  .split(/[\n0]/)
  .map((part) => part.replaceAll(/[()[\].*+?^$|\\{}]/g, "\\$&"))
  .join(anything);

/**
 * The form of placeholders. A text may have been written when the page had another language. In
 * every language, the placeholder is a link without an address whose text ends with a number and
 * dots.
 */
const placeholderForm = new RegExp(`\\[(?:${ownForm}|${anything}\\(\\d+\\)…)\\]\\(\\)`, "g");

/** The places of files in a text, in any language. */
export const filePlaces = (text: string): readonly FilePlace[] =>
  [...text.matchAll(placeholderForm)].map(([line, name, , words = ""]) => ({
    line,
    name: name ?? words.trim(),
    isInOtherWords: name === undefined,
  }));

/** Whether a place belongs to a file with that name. */
export const isPlaceOf = ({ name, isInOtherWords }: FilePlace, fileName: string): boolean =>
  isInOtherWords ? name.includes(linkText(fileName)) : name === linkText(fileName);
