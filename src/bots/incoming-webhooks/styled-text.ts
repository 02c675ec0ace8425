import { splitSpaceAround } from "../../core/text/surrounding-space";
import { plainLine, safeLine } from "./safe-text";

/** Styles that a foreign text is shown in. */
interface Styles {
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
}

/**
 * A part of a foreign line in Markdown that shows exactly that text. Spaces at its ends are kept,
 * outside of the style, because other parts stand beside it.
 */
export function styledPart(text: string, { bold, italic, strike, code }: Styles): string {
  const { before, words, after } = splitSpaceAround(text);
  if (words === "") return text;
  if (code) return `${before}\`${plainLine(words).replaceAll("`", "'")}\`${after}`;
  const shown = words
    .split("\n")
    .map((line) => keepSpaces(line))
    .join("\n");
  const strong = bold ? `**${shown}**` : italic ? `*${shown}*` : shown;
  return `${before}${strike ? `~~${strong}~~` : strong}${after}`;
}

const keepSpaces = (line: string) =>
  `${/^ */.exec(line)?.[0] ?? ""}${safeLine(line)}${/(?<=\S) *$/.exec(line)?.[0] ?? ""}`;
