import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isFocusFree } from "./focus-free";

interface WindowedProps<Row> {
  label: string;
  rows: readonly Row[];
  /** Draws a row as an `li`; all rows are equally high. */
  draw(row: Row, place: RowPlace): ComponentChildren;
}

/** The place of a row among all, for readers who see some of them alone. */
export interface RowPlace {
  readonly "aria-posinset": number;
  readonly "aria-setsize": number;
}

/** Rows that are drawn beyond those in sight, so that keys and a fast finger find some there. */
const spare = 12;
/** Rows that are drawn before their height is measured. */
const atFirst = 30;

interface Range {
  readonly start: number;
  readonly end: number;
  readonly rowPx: number;
}

/** A long list of which those rows alone are in the document that are in sight, and some beyond. */
export function Windowed<Row>({ label, rows, draw }: WindowedProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState<Range>({ start: 0, end: atFirst, rowPx: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    const pane = element?.closest<HTMLElement>(".pane, .card-body");
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

/** The list has the focus when the row that had it is scrolled out of the document. */
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
      // A row that leaves the document gives the focus to nobody.
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
