import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { isFocusFree } from "./focus-free";

/** Lines of a list among which keys move. */
const lines = "a.line, button.line, button.fold";

/**
 * Makes the lines of a list a single stop of Tab: arrow keys, Home and End move among them. The
 * stop is the line that was focused last, otherwise the current line, otherwise the first. If the
 * focused line is removed, the line in its place gets the focus.
 */
export function useRoving(list: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    let stop: HTMLElement | undefined;
    let hasFocus = false;
    let stopIndex = -1;
    const mark = () => {
      const all = linesOf(element);
      const isGone = stop !== undefined && !all.includes(stop);
      if (isGone) stop = hasFocus && isFocusFree() ? (all[stopIndex] ?? all.at(-1)) : undefined;
      const chosen = stop ?? all.find((line) => line.ariaCurrent) ?? all[0];
      for (const line of all) line.tabIndex = line === chosen ? 0 : -1;
      stopIndex = stop ? all.indexOf(stop) : -1;
      if (isGone) stop?.focus({ preventScroll: true });
    };
    const onFocus = ({ target }: FocusEvent) => {
      hasFocus = true;
      const row = target instanceof HTMLElement && (target.closest(lines) ?? target.closest("li"));
      // A button beside a line belongs to the line.
      const line = row && (row.matches(lines) ? row : row.querySelector(lines));
      if (line instanceof HTMLElement) stop = line;
      mark();
    };
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) hasFocus = false;
    };
    const observer = new MutationObserver(mark);
    observer.observe(element, { childList: true, subtree: true });
    element.addEventListener("focusin", onFocus);
    element.addEventListener("focusout", onBlur);
    element.addEventListener("keydown", onKey);
    mark();
    return () => {
      observer.disconnect();
      element.removeEventListener("focusin", onFocus);
      element.removeEventListener("focusout", onBlur);
      element.removeEventListener("keydown", onKey);
    };
  }, [list]);
}

export const linesOf = (list: ParentNode): readonly HTMLElement[] =>
  [...list.querySelectorAll<HTMLElement>(lines)].filter((line) => line.offsetParent !== null);

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function onKey(event: KeyboardEvent): void {
  const { currentTarget, target, key } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  if (target.matches("input, textarea, select")) return;
  const all = linesOf(currentTarget);
  const from = all.findIndex(
    (line) => line.contains(target) || line.parentElement === target.parentElement,
  );
  const to =
    key === "Home" ? 0 : key === "End" ? all.length - 1 : from + (steps[key] ?? Number.NaN);
  const line = all[Math.min(Math.max(to, 0), all.length - 1)];
  if (!line) return;
  event.preventDefault();
  line.focus();
}
