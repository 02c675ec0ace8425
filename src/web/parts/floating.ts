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
