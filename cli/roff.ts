/*
 * Manual pages in the macros of man(7), as far as ours need them.
 */

/** Text of a line of roff, in which nothing is taken as a request or changed into another sign. */
export const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replace(/^\./, "\\&.");

/** An argument of a request, which may have spaces. */
const argument = (text: string): string => `"${escaped(text).replaceAll('"', "\\(dq")}"`;

/** Head and settings of a page: lines are not filled up with spaces, nor words divided. */
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

/** A term in bold, and what it means, indented. */
export const entry = (term: string, meaning: string): string[] => [
  ".TP",
  `.B ${argument(term)}`,
  ...linesOf(meaning),
];

/** Lines that are shown as they are. */
export const example = (lines: readonly string[]): string[] => [
  ".PP",
  ".EX",
  ...lines.map((line) => `  ${escaped(line)}`),
  ".EE",
];

/** Each sentence begins a line, so that the formatter knows where it ends. */
const linesOf = (text: string): string[] =>
  text
    .replaceAll("\n", " ")
    .split(/(?<=[.:]) +(?=[A-Z])/)
    .map((line) => escaped(line.trim()));
