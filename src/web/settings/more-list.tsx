import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { settingsWords } from "../words/settings";

const usualAtOnce = 50;

interface MoreListProps<Row> {
  rows: readonly Row[];
  draw(row: Row): ComponentChildren;
  /** The number of rows that are shown at first. */
  atOnce?: number;
}

/** A list that shows some rows at first, and more on demand. */
export function MoreList<Row>({ rows, draw, atOnce = usualAtOnce }: MoreListProps<Row>) {
  const [most, setMost] = useState(atOnce);
  const rest = rows.length - most;
  return (
    <>
      <ul class="rows-of-settings">{rows.slice(0, most).map(draw)}</ul>
      {rest > 0 && (
        <button type="button" class="button" onClick={() => setMost(most + usualAtOnce)}>
          {settingsWords.showMore(Math.min(rest, usualAtOnce))}
        </button>
      )}
    </>
  );
}
