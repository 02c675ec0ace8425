/* Manual pages in the macros of man(7), as far as chatd's pages need them. */

/**
 * Text for a line of roff, in which nothing is read as a request or replaced by another character.
 */
export const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replace(/^\./, "\\&.");

/** An argument of a request, which may contain spaces. */
const argument = (text: string): string => `"${escaped(text).replaceAll('"', "\\(dq")}"`;

/** Head and settings of a page: no justified lines and no hyphenation. */
export const beginPage = (
  name: string,
  section: number,
  { date, source, manual }: { date: string; source: string; manual: string },
): string[] => [
  `.TH ${[name.toUpperCase(), `${section}`, date, source, manual].map(argument).join(" ")}`,
  ".nh",
  ".ad l",
];

export const section = (name: string): string => `.SH ${argument(name)}`;

export const subsection = (name: string): string => `.SS ${argument(name)}`;

export const paragraph = (text: string): string[] => [".PP", ...linesOf(text)];

/** A term in bold with its meaning, indented. */
export const entry = (term: string, meaning: string): string[] => [
  ".TP",
  `.B ${argument(term)}`,
  ...linesOf(meaning),
];

/** Lines that are shown unchanged. */
export const example = (lines: readonly string[]): string[] => [
  ".PP",
  ".EX",
  ...lines.map((line) => `  ${escaped(line)}`),
  ".EE",
];

/** Each sentence begins a line, so that the formatter recognizes its end. */
const linesOf = (text: string): string[] =>
  text
    .replaceAll("\n", " ")
    .split(/(?<=[.:]) +(?=[A-Z])/)
    .map((line) => escaped(line.trim()));
