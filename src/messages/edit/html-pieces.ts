/* HTML of our own renderer as a list of pieces: tags, and the visible content between them. */

/** An element of a text; `within` of an outermost one is undefined. */
export interface Element {
  name: string;
  within: Element | undefined;
}

/** A tag, or a word or picture, with the space after it. */
export interface Piece {
  kind: "word" | "opening" | "closing" | "single";
  html: string;
  space: string;
  /** The element of a tag. */
  element: Element | undefined;
  /** The innermost element around a word, or around the element of a tag. */
  within: Element | undefined;
}

/** Videos and sounds are one piece with their end tag. */
const piecePattern = /<(video|audio)\b[^>]*><\/\1>|<[^>]*>|[^\s<]+|\s+/g;
const isSeen = (html: string) => !html.startsWith("<") || /^<(?:img|video|audio)\b/.test(html);
const isSingle = (html: string) => /^<(?:br|hr|input|wbr)\b|\/>$/.test(html);
const nameOf = (tag: string) => /^<\/?([a-z\d]*)/i.exec(tag)?.[1] ?? "";

/**
 * An end tag without a beginning is no piece; an element without an end tag stays open up to the
 * end.
 */
export function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  let within: Element | undefined;
  const add = (kind: Piece["kind"], part: string, element?: Element) =>
    pieces.push({
      kind,
      html: part,
      space: "",
      element,
      within: element ? element.within : within,
    });
  for (const [part] of html.matchAll(piecePattern)) {
    const last = pieces.at(-1);
    if (/^\s/.test(part)) {
      if (last) last.space += part;
    } else if (isSeen(part)) add("word", part);
    else if (isSingle(part)) add("single", part, { name: nameOf(part), within });
    else if (!part.startsWith("</")) {
      within = { name: nameOf(part), within };
      add("opening", part, within);
    } else if (within) {
      add("closing", part, within);
      within = within.within;
    }
  }
  return pieces;
}

const blocks = new Set(
  "p hr ul ol li div h1 h2 h3 h4 h5 h6 pre blockquote table thead tbody tr th td details summary".split(
    " ",
  ),
);

export const isBlock = (element: Element | undefined): boolean =>
  element !== undefined && blocks.has(element.name);

/** The names of an element and of all elements around it, the outermost first. */
export function pathOf(element: Element | undefined): string[] {
  const names: string[] = [];
  for (let around = element; around; around = around.within) names.unshift(around.name);
  return names;
}
