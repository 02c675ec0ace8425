import { type Element, isBlock, type Piece, pathOf } from "./html-pieces";

/*
 * HTML of the words that an edit removed, to be shown within the new content. Markup that began and ended among these words is
 * kept where the new place allows it: a table row, for example, stands in a table alone.
 */

/** Pieces of the old content that come to stand in one place of the new one. */
export interface RemovedPart {
  pieces: readonly Piece[];
  /** The innermost element around them that is not theirs alone. */
  base: Element | undefined;
  /**
   * Whether they take the last of the places that suit them alike, because the text after them in
   * their paragraph is still there.
   */
  isBeginning: boolean;
}

/**
 * A removed run in up to three parts: the end of an element that begins before it, elements that
 * are wholly in it, and the beginning of an element that goes on after it. `isReplaced`: other
 * words come in its place, into a paragraph of theirs that is for both.
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

/** Without the blocks that are around all of it. */
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

/** Elements that hold no text themselves. */
const isFrameOnly = ({ name }: Element) => /^(?:[uo]l|table|thead|tbody|tr)$/.test(name);

/**
 * Score of how well a part that was within `base` stands within `around`: best in an element of the
 * kind of `base`, with as many elements in common further out. Never in an element that only holds
 * others, unless it was in one before.
 */
export function fit(base: Element | undefined, around: Element | undefined): number {
  const isAlike = base?.name === around?.name;
  if (around && isFrameOnly(around) && !isAlike) return Number.NEGATIVE_INFINITY;
  const [from, into] = [pathOf(base), pathOf(around)];
  const inCommon = from.findIndex((name, index) => name !== into[index]);
  return (isAlike ? 1_000 : 0) + 2 * (inCommon < 0 ? from.length : inCommon) - into.length;
}

/**
 * A part as HTML that stands within `around`, in spans of its own. A block of it is kept in an
 * element of the kind that it was in, and a link outside of links; of others only what is in them
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
