import { composeWords } from "../words/compose";

/** The place of a file that has not arrived, in a text. */
export interface FilePlace {
  readonly line: string;
  /** Its name; with words around it where the page that wrote the line had another language. */
  readonly name: string;
  readonly isInOtherWords: boolean;
}

/** A file's name as the words of a link. */
export const linkText = (name: string): string => name.replaceAll(/[[\]\\`*_\n]/g, "_");

/** The line that holds a file's place until it is there. */
export const placeholderOf = (name: string, id: number): string =>
  `[${composeWords.uploading(linkText(name), id)}]()`;

const anything = "([^\\]]*)";

/** The words of the language, with anything for a name and a number. */
const ownForm = composeWords
  .uploading("\n", 0)
  .split(/[\n0]/)
  .map((part) => part.replaceAll(/[()[\].*+?^$|\\{}]/g, "\\$&"))
  .join(anything);

/**
 * The form of placeholders. A text may be older than the language of the page: in any of them, a
 * link to nowhere ends with a number and dots.
 */
const placeholderForm = new RegExp(`\\[(?:${ownForm}|${anything}\\(\\d+\\)…)\\]\\(\\)`, "g");

/** Places of files in a text, in whichever language they were written. */
export const filePlaces = (text: string): readonly FilePlace[] =>
  [...text.matchAll(placeholderForm)].map(([line, name, , words = ""]) => ({
    line,
    name: name ?? words.trim(),
    isInOtherWords: name === undefined,
  }));

/** Whether a place is for a file of that name. */
export const isPlaceOf = ({ name, isInOtherWords }: FilePlace, fileName: string): boolean =>
  isInOtherWords ? name.includes(linkText(fileName)) : name === linkText(fileName);
