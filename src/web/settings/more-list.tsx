import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { settingsWords } from "../words/settings";

const shownAtOnce = 50;

interface MoreListProps<Row> {
  rows: readonly Row[];
  draw(row: Row): ComponentChildren;
}

/** A list of which some rows are shown at once, and more on demand. */
export function MoreList<Row>({ rows, draw }: MoreListProps<Row>) {
  const [most, setMost] = useState(shownAtOnce);
  const rest = rows.length - most;
  return (
    <>
      <ul class="rows-of-settings">{rows.slice(0, most).map(draw)}</ul>
      {rest > 0 && (
        <button type="button" class="button" onClick={() => setMost(most + shownAtOnce)}>
          {settingsWords.showMore(Math.min(rest, shownAtOnce))}
        </button>
      )}
    </>
  );
}
