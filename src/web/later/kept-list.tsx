import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { laterWords } from "../words/later";

const shownAtOnce = 50;

interface KeptListProps<Row> {
  label: string;
  rows: readonly Row[];
  draw(row: Row): ComponentChildren;
  /** Shown if there are no rows. */
  none: { readonly none: string; readonly noneHelp: string };
  /** Shown above the rows. */
  children?: ComponentChildren;
}

/** A view that lists texts of the person: some at first, more on demand. */
export function KeptList<Row>({ label, rows, draw, none, children }: KeptListProps<Row>) {
  const [most, setMost] = useState(shownAtOnce);
  const pane = useRef<HTMLElement>(null);
  const { length } = rows;
  const lengthBefore = useRef(length);
  useLayoutEffect(() => {
    // The focus may have been on a row that was removed.
    if (length < lengthBefore.current && document.activeElement === document.body)
      pane.current?.focus({ preventScroll: true });
    lengthBefore.current = length;
  }, [length]);
  return (
    <section class="pane kept" aria-label={label} ref={pane} tabIndex={-1}>
      {children}
      {length === 0 && (
        <div class="nothing">
          <b>{none.none}</b>
          <p>{none.noneHelp}</p>
        </div>
      )}
      <ul>{rows.slice(0, most).map(draw)}</ul>
      {length > most && (
        <button type="button" class="button" onClick={() => setMost(most + shownAtOnce)}>
          {laterWords.showMore(Math.min(length - most, shownAtOnce))}
        </button>
      )}
    </section>
  );
}

interface KeptActionProps {
  name: string;
  /** The button's name for screen readers, which may read it without its row. */
  label: string;
  run: () => void;
}

/** An action for a row. */
export const KeptAction = ({ name, label, run }: KeptActionProps) => (
  <button type="button" class="chip" aria-label={label} onClick={run}>
    {name}
  </button>
);

const excerptLength = 60;

/** The first words of a text, to name the button that belongs to it. */
export const excerptOf = (text: string): string =>
  text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text;
