import { type Element, isBlock, type Piece, pathOf } from "./html-pieces";

/*
 * HTML of removed words, to be shown within the new content. Markup that began and ended among
 * these words is kept if it is valid in the new place: a table row, for example, only within a
 * table.
 */

/** Pieces of the old content that are shown at one place of the new one. */
export interface RemovedPart {
  pieces: readonly Piece[];
  /** The innermost element around them that also contains other pieces. */
  base: Element | undefined;
  /**
   * Whether they take the last of several equally good places, because the text after them in their
   * paragraph still exists.
   */
  isBeginning: boolean;
}

/**
 * A removed run in up to three parts: the end of an element that begins before it, whole elements
 * in it, and the beginning of an element that continues after it. `isReplaced`: other words replace
 * it, in a paragraph of their own that represents both.
 */
export function partsOf(run: readonly Piece[], isReplaced: boolean): RemovedPart[] {
  const whole = wholeElements(run);
  const isLeft = ({ kind, element }: Piece, wanted: Piece["kind"]) =>
    kind === wanted && element !== undefined && !whole.has(element);
  const middle = run.findLastIndex((piece) => isLeft(piece, "closing")) + 1;
  const firstLeft = run.findIndex((piece) => isLeft(piece, "opening"));
  const end = firstLeft < 0 ? run.length : firstLeft;
  const inMiddle = run.slice(middle, end);
  const parts = [
    { pieces: run.slice(0, middle), isBeginning: false },
    { pieces: isReplaced ? withoutFrame(inMiddle) : inMiddle, isBeginning: false },
    { pieces: run.slice(end), isBeginning: true },
  ];
  return parts
    .filter(({ pieces }) => pieces.length > 0)
    .map((part) => ({ ...part, base: baseOf(part.pieces) }));
}

function wholeElements(pieces: readonly Piece[]): Set<Element> {
  const begun = new Set(
    pieces.flatMap(({ kind, element }) => (kind === "opening" && element ? [element] : [])),
  );
  return new Set(
    pieces.flatMap(({ kind, element }) =>
      kind === "closing" && element && begun.has(element) ? [element] : [],
    ),
  );
}

/** Without the blocks that surround all of it. */
function withoutFrame(pieces: readonly Piece[]): readonly Piece[] {
  const [first, last] = [pieces[0], pieces.at(-1)];
  const isFrame = first !== last && isBlock(first?.element) && first?.element === last?.element;
  return isFrame ? withoutFrame(pieces.slice(1, -1)) : pieces;
}

function baseOf(pieces: readonly Piece[]): Element | undefined {
  const whole = wholeElements(pieces);
  let base = pieces.find(({ kind }) => kind === "word")?.within;
  while (base && whole.has(base)) base = base.within;
  return base;
}

/** Elements that cannot contain text directly. */
const isFrameOnly = ({ name }: Element) => /^(?:[uo]l|table|thead|tbody|tr)$/.test(name);

/**
 * Score of placing a part from within `base` within `around`: best in an element of the kind of
 * `base`, with as many outer elements in common as possible. Never in an element that cannot
 * contain text, unless it was in one before.
 */
export function fit(base: Element | undefined, around: Element | undefined): number {
  const isAlike = base?.name === around?.name;
  if (around && isFrameOnly(around) && !isAlike) return Number.NEGATIVE_INFINITY;
  const [from, into] = [pathOf(base), pathOf(around)];
  const inCommon = from.findIndex((name, index) => name !== into[index]);
  return (isAlike ? 1_000 : 0) + 2 * (inCommon < 0 ? from.length : inCommon) - into.length;
}

/**
 * HTML of a part for a place within `around`, in spans of its own. Its blocks are kept in elements
 * of the kind that they were in, and its links outside of links; of other elements only the content
 * is shown.
 */
export function removedHtml(pieces: readonly Piece[], around: Element | undefined): string {
  const whole = wholeElements(pieces);
  const open = pathOf(around);
  const kept = new Set<Element>();
  const out: string[] = [];
  let [text, inlineDepth] = ["", 0];
  const endSpan = () => {
    if (text.trim() !== "") out.push(`<span class="highlight_text_deleted">${text.trim()}</span> `);
    text = "";
  };
  const mayStand = (element: Element) =>
    isBlock(element)
      ? inlineDepth === 0 && open.at(-1) === element.within?.name
      : element.name !== "a" || !open.includes("a");
  const writeTag = ({ kind, html }: Piece, element: Element) => {
    if (isBlock(element)) {
      endSpan();
      out.push(html);
    } else text += html;
    if (kind === "single") return;
    if (kind === "opening") {
      kept.add(element);
      open.push(element.name);
    } else open.pop();
    if (!isBlock(element)) inlineDepth += kind === "opening" ? 1 : -1;
  };
  for (const piece of pieces) {
    const { kind, element, html, space } = piece;
    if (!element) text += html;
    else if (
      kind === "closing"
        ? kept.has(element)
        : (kind === "single" || whole.has(element)) && mayStand(element)
    )
      writeTag(piece, element);
    text += space || (isBlock(element) ? " " : "");
  }
  endSpan();
  return out.join("");
}
