import { useEffect, useRef } from "preact/hooks";
import type { Feed } from "../store/feeds";
import { isReadBySight, isReadingStopped, noteRead } from "../store/reading";

/** A message is read when its end has been visible for this long. */
const sightMilliseconds = 1_000;

/**
 * Marks the messages of a feed as read when they become visible in a focused tab, if the person
 * wants that in views of this kind.
 */
export function useReadOnSight(scroller: { current: HTMLElement | null }, feed: Feed): void {
  const current = useRef(feed);
  current.current = feed;
  useEffect(() => {
    isReadingStopped.value = false;
  }, []);
  const watch = useRef<() => void>(undefined);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const sight = watchSight(element, () => unreadIn(current.current));
    watch.current = sight.watch;
    return sight.end;
  }, [scroller]);
  useEffect(() => watch.current?.());
}

function unreadIn({ narrow, messages }: Feed): readonly number[] {
  if (isReadingStopped.value || !isReadBySight(narrow)) return [];
  return messages.filter(({ flags }) => !flags.includes("read")).map(({ id }) => id);
}

/** Watches which messages are visible; `unread` returns those that matter. */
function watchSight(scroller: HTMLElement, unread: () => readonly number[]) {
  /** Visible messages, each with the look at which it became visible. */
  const inSight = new Map<number, object>();
  const readFrom = (glance: object) => {
    const candidates = new Set(unread());
    const read = [...inSight].filter(([id, of]) => of === glance && candidates.has(id));
    noteRead(read.map(([id]) => id));
  };
  const watch = () => {
    const seen = new Set(document.hasFocus() ? seenOf(scroller, new Set(unread())) : []);
    for (const id of inSight.keys()) if (!seen.has(id)) inSight.delete(id);
    const fresh = [...seen].filter((id) => !inSight.has(id));
    if (fresh.length === 0) return;
    const glance = {};
    for (const id of fresh) inSight.set(id, glance);
    setTimeout(() => readFrom(glance), sightMilliseconds);
  };
  const leave = () => inSight.clear();
  scroller.addEventListener("scroll", watch, { passive: true });
  addEventListener("focus", watch);
  addEventListener("blur", leave);
  return {
    watch,
    end() {
      leave();
      scroller.removeEventListener("scroll", watch);
      removeEventListener("focus", watch);
      removeEventListener("blur", leave);
    },
  };
}

/**
 * The messages among these whose end is visible. It goes through the rows, because they are few,
 * while there may be thousands of unread messages.
 */
function seenOf(scroller: HTMLElement, ids: ReadonlySet<number>): readonly number[] {
  if (ids.size === 0) return [];
  const view = scroller.getBoundingClientRect();
  return [...scroller.querySelectorAll<HTMLElement>("article[data-id]")].flatMap((row) => {
    const id = Number(row.dataset["id"]);
    if (!ids.has(id)) return [];
    const { bottom } = row.getBoundingClientRect();
    // Browsers round positions.
    return bottom > view.top && bottom <= view.bottom + 1 ? [id] : [];
  });
}
