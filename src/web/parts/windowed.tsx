import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isFocusFree } from "./focus-free";

interface WindowedProps<Row> {
  label: string;
  rows: readonly Row[];
  /** Draws a row as an `li`. All rows have one height. */
  draw(row: Row, place: RowPlace): ComponentChildren;
}

/**
 * The position of a row among all rows, for screen readers, because only some rows are in the
 * document.
 */
export interface RowPlace {
  readonly "aria-posinset": number;
  readonly "aria-setsize": number;
}

/** The number of rows that are drawn beyond the visible ones, for keys and fast scrolling. */
const spare = 12;
/** The number of rows that are drawn before their height is measured. */
const atFirst = 30;

interface Range {
  readonly start: number;
  readonly end: number;
  readonly rowPx: number;
}

/** A long list. Only its visible rows, and some rows around them, are in the document. */
export function Windowed<Row>({ label, rows, draw }: WindowedProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState<Range>({ start: 0, end: atFirst, rowPx: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    const pane = element?.closest<HTMLElement>(".pane, .card-body, .dialog");
    if (!element || !pane) return;
    const measure = () => setRange((before) => rangeIn(element, pane, before));
    measure();
    pane.addEventListener("scroll", measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(pane);
    return () => {
      pane.removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [rows.length]);
  const keepsFocus = useKeptFocus(list);
  const start = Math.min(range.start, Math.max(rows.length - atFirst, 0));
  const end = Math.min(Math.max(range.end, start + atFirst), rows.length);
  return (
    <ul
      ref={list}
      aria-label={label}
      tabIndex={-1}
      {...keepsFocus}
      style={{
        "--before": `${start * range.rowPx}px`,
        "--after": `${(rows.length - end) * range.rowPx}px`,
      }}
      class="windowed"
    >
      {rows
        .slice(start, end)
        .map((row, index) =>
          draw(row, { "aria-posinset": start + index + 1, "aria-setsize": rows.length }),
        )}
    </ul>
  );
}

/** The list gets the focus when the focused row is removed from the document by scrolling. */
function useKeptFocus(list: RefObject<HTMLUListElement | null>) {
  const isInside = useRef(false);
  useLayoutEffect(() => {
    if (isInside.current && isFocusFree()) list.current?.focus({ preventScroll: true });
  });
  return {
    onFocusIn: () => {
      isInside.current = true;
    },
    onFocusOut: ({ relatedTarget }: FocusEvent) => {
      // A removed row does not pass its focus on.
      if (relatedTarget !== null) isInside.current = false;
    },
  };
}

function rangeIn(list: HTMLElement, pane: HTMLElement, before: Range): Range {
  const [row] = list.children;
  const rowPx = row?.getBoundingClientRect().height ?? 0;
  if (rowPx === 0) return before;
  const above = pane.getBoundingClientRect().top - list.getBoundingClientRect().top;
  const start = Math.max(0, Math.floor(above / rowPx) - spare);
  const end = Math.ceil((above + pane.clientHeight) / rowPx) + spare;
  const isAsBefore = start === before.start && end === before.end && rowPx === before.rowPx;
  return isAsBefore ? before : { start, end, rowPx };
}
