/**
 * Distance in pixels between a floating element and the edges of the window, and between it and its
 * anchor.
 */
const margin = { window: 8, anchor: 4 };

/**
 * Places a floating element below its anchor, or above it if there is no room below, with their
 * ends (or starts) aligned. It always stays inside the window. On small screens style sheets place
 * it.
 */
export function placeBeside(
  element: HTMLElement,
  anchor: DOMRect,
  side: "start" | "end" = "end",
): void {
  const { offsetWidth: width, offsetHeight: height } = element;
  const isFromRight = getComputedStyle(element).direction === "rtl";
  const start = isFromRight ? innerWidth - anchor.right : anchor.left;
  const end = isFromRight ? innerWidth - anchor.left : anchor.right;
  const below = anchor.bottom + margin.anchor;
  const fitsBelow = below + height + margin.window <= innerHeight;
  const block = fitsBelow ? below : anchor.top - margin.anchor - height;
  set("--place-inline", side === "end" ? end - width : start, innerWidth - width);
  const top = set("--place-block", block, innerHeight - height);
  // The height up to which it can grow without moving.
  element.style.setProperty("--place-room", `${innerHeight - margin.window - top}px`);

  function set(property: string, wanted: number, room: number): number {
    const most = Math.max(room - margin.window, margin.window);
    const value = Math.min(Math.max(wanted, margin.window), most);
    element.style.setProperty(property, `${value}px`);
    return value;
  }
}

/**
 * Limits the height of an element beside an anchor to the larger room below or above it, so that it
 * does not cover the anchor. The element's style sheet makes it scroll.
 */
export function limitBeside(element: HTMLElement, { top, bottom }: DOMRect): void {
  setRoom(element, Math.max(top, innerHeight - bottom) - margin.anchor);
}

/**
 * Limits the height of an element that grows upwards from the top of a box to the room in the part
 * of the page that is seen, also when a keyboard takes some of it or the box grows. Returns a
 * function that ends this.
 */
export function limitAbove(element: HTMLElement, box: Element): () => void {
  const limit = () => {
    const seenFrom = visualViewport?.offsetTop ?? 0;
    setRoom(element, element.getBoundingClientRect().bottom - seenFrom);
  };
  const observer = new ResizeObserver(limit);
  observer.observe(box);
  visualViewport?.addEventListener("resize", limit);
  limit();
  return () => {
    observer.disconnect();
    visualViewport?.removeEventListener("resize", limit);
  };
}

const setRoom = (element: HTMLElement, room: number): void =>
  element.style.setProperty("--room", `${Math.floor(room - margin.window)}px`);
