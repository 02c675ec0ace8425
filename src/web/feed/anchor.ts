/**
 * The place in a feed that is kept: its end, or a message at a distance from the top of the view in
 * pixels.
 */
export type Anchor =
  | { readonly isAtEnd: true }
  | { readonly isAtEnd: false; readonly id: number; readonly top: number };

/** Browsers round positions; so near to the end is at it. */
const endPixels = 2;

/** The place at which somebody has scrolled to: the end, or the first message that is seen. */
export function anchorIn(scroller: HTMLElement): Anchor {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  if (scrollHeight - scrollTop - clientHeight <= endPixels) return { isAtEnd: true };
  const start = scroller.getBoundingClientRect().top;
  for (const row of scroller.querySelectorAll<HTMLElement>("[data-id]")) {
    const { top, bottom } = row.getBoundingClientRect();
    if (bottom > start) return { isAtEnd: false, id: idOf(row), top: top - start };
  }
  return { isAtEnd: true };
}

/** Scrolls so that an anchor is where it was; nothing where its message is gone. */
export function keepAnchor(scroller: HTMLElement, anchor: Anchor): void {
  if (anchor.isAtEnd) {
    scroller.scrollTop = scroller.scrollHeight;
    return;
  }
  const row = scroller.querySelector(`[data-id="${anchor.id}"]`);
  if (!row) return;
  const top = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  if (top !== anchor.top) scroller.scrollTop += top - anchor.top;
}

const idOf = (row: HTMLElement): number => Number(row.dataset["id"]);
