/** A message, and its distance from the top of the view in pixels. */
interface SeenRow {
  readonly id: number;
  readonly top: number;
}

/**
 * The place in a feed that must not move: its end, or the visible messages at their positions. If
 * the first of them is removed, the next one is used.
 */
export type Anchor =
  | { readonly isAtEnd: true }
  | { readonly isAtEnd: false; readonly rows: readonly SeenRow[] };

export const atEnd: Anchor = { isAtEnd: true };

export const atMessage = (id: number, top: number): Anchor => ({
  isAtEnd: false,
  rows: [{ id, top }],
});

/** The distance from the end that still counts as the end, because browsers round positions. */
const endPixels = 2;
/** A message of which less than this is visible does not count as visible. */
const seenPixels = 1;

/** Whether the end of the rows is visible. */
export const isEndInView = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight <= endPixels;

/** The place to which somebody has scrolled: the end, or the visible messages. */
export function anchorIn(scroller: HTMLElement, isEndDrawn: boolean): Anchor {
  if (isEndDrawn && isEndInView(scroller)) return atEnd;
  const view = scroller.getBoundingClientRect();
  const rows: SeenRow[] = [];
  for (const article of scroller.querySelectorAll<HTMLElement>("[data-id]")) {
    const { top, bottom } = rowIn(article).getBoundingClientRect();
    if (bottom <= view.top + seenPixels) continue;
    if (top >= view.bottom) break;
    rows.push({ id: Number(article.dataset["id"]), top: top - view.top });
  }
  return rows.length === 0 ? atEnd : { isAtEnd: false, rows };
}

/** The place of the message that contains an element; undefined if none does. */
export function anchorAt(scroller: HTMLElement, element: Element): Anchor | undefined {
  const article = element.closest<HTMLElement>("[data-id]");
  if (!article) return undefined;
  const top = rowIn(article).getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  return atMessage(Number(article.dataset["id"]), top);
}

/**
 * Scrolls so that an anchor is where it was before. Does nothing if none of its messages is in the
 * document.
 */
export function keepAnchor(scroller: HTMLElement, anchor: Anchor): void {
  if (anchor.isAtEnd) scroller.scrollTop = scroller.scrollHeight;
  else scroller.scrollTop += movedBy(scroller, anchor.rows);
}

/**
 * Undoes the movement that a change of size has just caused, for somebody who is scrolling at that
 * moment. The rest of the movement is their own.
 */
export function keepWhileScrolling(scroller: HTMLElement, anchor: Anchor, scrolled: number): void {
  if (anchor.isAtEnd) return;
  const moved = movedBy(scroller, anchor.rows) + scrolled;
  if (Math.abs(moved) > 1) scroller.scrollTop += moved;
}

/** The pixels by which the rows have moved down, measured at the first row that still exists. */
function movedBy(scroller: HTMLElement, rows: readonly SeenRow[]): number {
  const start = scroller.getBoundingClientRect().top;
  for (const { id, top } of rows) {
    const article = scroller.querySelector<HTMLElement>(`[data-id="${id}"]`);
    if (article) return rowIn(article).getBoundingClientRect().top - start - top;
  }
  return 0;
}

/** The message itself. Day and topic lines stand above it, and come and go. */
const rowIn = (article: HTMLElement): Element => article.querySelector(":scope > .row") ?? article;
