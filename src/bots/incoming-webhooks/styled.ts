import { plainLine, safeLine } from "./safe-text";

/** Styles that a foreign text is shown in. */
export interface Styles {
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
  // No expression splits it, because a long run of spaces would take it quadratic time.
  const inside = text.trim();
  if (inside === "") return text;
  const [before, after] = [text.slice(0, text.indexOf(inside)), text.slice(text.trimEnd().length)];
  if (code) return `${before}\`${plainLine(inside).replaceAll("`", "'")}\`${after}`;
  const shown = inside
    .split("\n")
    .map((line) => keepSpaces(line))
    .join("\n");
  const strong = bold ? `**${shown}**` : italic ? `*${shown}*` : shown;
  return `${before}${strike ? `~~${strong}~~` : strong}${after}`;
}

const keepSpaces = (line: string) =>
  `${/^ */.exec(line)?.[0] ?? ""}${safeLine(line)}${/(?<=\S) *$/.exec(line)?.[0] ?? ""}`;
