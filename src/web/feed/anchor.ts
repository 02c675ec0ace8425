/** Distance of a message from the top of the view, in pixels. */
interface SeenRow {
  readonly id: number;
  readonly top: number;
}

/**
 * The place in a feed that is kept: its end, or the messages in view at their pixels. Where the
 * first of them goes, the next one is kept.
 */
export type Anchor =
  | { readonly isAtEnd: true }
  | { readonly isAtEnd: false; readonly rows: readonly SeenRow[] };

export const atEnd: Anchor = { isAtEnd: true };

export const atMessage = (id: number, top: number): Anchor => ({
  isAtEnd: false,
  rows: [{ id, top }],
});

/** Browsers round positions; so near to the end is at it. */
const endPixels = 2;
/** Less of a message than this is not in view. */
const seenPixels = 1;

/** Whether the end of the rows is in view. */
export const isEndInView = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight <= endPixels;

/** The place at which somebody has scrolled to: the end, or the messages that are in view. */
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

/** The place of the message that an element is in; undefined for none. */
export function anchorAt(scroller: HTMLElement, element: Element): Anchor | undefined {
  const article = element.closest<HTMLElement>("[data-id]");
  if (!article) return undefined;
  const top = rowIn(article).getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  return atMessage(Number(article.dataset["id"]), top);
}

/** Scrolls so that an anchor is where it was; nothing where none of its messages is there. */
export function keepAnchor(scroller: HTMLElement, anchor: Anchor): void {
  if (anchor.isAtEnd) scroller.scrollTop = scroller.scrollHeight;
  else scroller.scrollTop += movedBy(scroller, anchor.rows);
}

/**
 * Undoes what something that has just changed its size has moved, for somebody who scrolls at that
 * moment; the other part of the movement is theirs.
 */
export function keepWhileScrolling(scroller: HTMLElement, anchor: Anchor, scrolled: number): void {
  if (anchor.isAtEnd) return;
  const moved = movedBy(scroller, anchor.rows) + scrolled;
  if (Math.abs(moved) > 1) scroller.scrollTop += moved;
}

/** Pixels that the first of these rows which is still there is below the place where it was. */
function movedBy(scroller: HTMLElement, rows: readonly SeenRow[]): number {
  const start = scroller.getBoundingClientRect().top;
  for (const { id, top } of rows) {
    const article = scroller.querySelector<HTMLElement>(`[data-id="${id}"]`);
    if (article) return rowIn(article).getBoundingClientRect().top - start - top;
  }
  return 0;
}

/** The message itself: lines of a day or a topic, which come and go, stand above it. */
const rowIn = (article: HTMLElement): Element => article.querySelector(":scope > .row") ?? article;
