/** The steps of keys in a list of items. */
const steps: Readonly<Record<"vertical" | "horizontal", Readonly<Record<string, number>>>> = {
  vertical: { ArrowDown: 1, ArrowUp: -1 },
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
};

/**
 * Moves the focus among the items of a list by arrow keys, Home and End. After the last item comes
 * the first. Returns whether the key was one of these.
 */
export function moveFocus(
  event: KeyboardEvent,
  items: readonly HTMLElement[],
  direction: "vertical" | "horizontal",
): boolean {
  const current = items.findIndex((item) => item.matches(":focus"));
  const target = targetOf(event.key, current, items.length, direction);
  if (target === undefined) return false;
  event.preventDefault();
  items[target]?.focus();
  return true;
}

function targetOf(
  key: string,
  current: number,
  count: number,
  direction: "vertical" | "horizontal",
): number | undefined {
  if (count === 0) return undefined;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  const step = steps[direction][key];
  if (step === undefined) return undefined;
  const isFromRight = direction === "horizontal" && document.dir === "rtl";
  const from = current === -1 && step < 0 ? 0 : current;
  return (from + (isFromRight ? -step : step) + count) % count;
}
