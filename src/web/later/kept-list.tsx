import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { laterWords } from "../words/later";

const shownAtOnce = 50;

interface KeptListProps<Row> {
  label: string;
  rows: readonly Row[];
  draw(row: Row): ComponentChildren;
  /** Shown where there are no rows. */
  none: { readonly none: string; readonly noneHelp: string };
  /** Shown above the rows. */
  children?: ComponentChildren;
}

/** A view that lists texts which the person keeps: some at once, more on demand. */
export function KeptList<Row>({ label, rows, draw, none, children }: KeptListProps<Row>) {
  const [most, setMost] = useState(shownAtOnce);
  const pane = useRef<HTMLElement>(null);
  const { length } = rows;
  const lengthBefore = useRef(length);
  useLayoutEffect(() => {
    // A row that has gone may have had the focus.
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
  /** Name for those who hear the button without its row. */
  label: string;
  run: () => void;
}

/** Something that can be done with a row. */
export const KeptAction = ({ name, label, run }: KeptActionProps) => (
  <button type="button" class="chip" aria-label={label} onClick={run}>
    {name}
  </button>
);

const excerptLength = 60;

/** The first words of a text, to name what a button is for. */
export const excerptOf = (text: string): string =>
  text.length > excerptLength ? `${text.slice(0, excerptLength)}…` : text;
