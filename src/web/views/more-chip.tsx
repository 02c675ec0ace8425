import { linesOf } from "../parts/roving-lines";
import { words } from "../words/words";

/**
 * A button below the lines of a list that draws more of them, because long lists are never drawn
 * completely.
 */
export function MoreChip(props: { rest: number; step: number; show: () => void }) {
  const { rest, step, show } = props;
  if (rest <= 0) return null;
  const showMore = (button: HTMLElement) => {
    const list = button.closest<HTMLElement>(".pane");
    const above = list ? linesOf(list).filter((line) => isAbove(line, button)).length : 0;
    show();
    // The lines are drawn by then, and the button may have disappeared together with the focus.
    if (list) queueMicrotask(() => linesOf(list)[above]?.focus({ preventScroll: true }));
  };
  return (
    <button type="button" class="chip" onClick={({ currentTarget }) => showMore(currentTarget)}>
      {words.views.showMore(Math.min(rest, step))}
    </button>
  );
}

const isAbove = (line: HTMLElement, button: HTMLElement): boolean =>
  (line.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
