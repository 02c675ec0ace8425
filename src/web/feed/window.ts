import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { isFocusFree } from "../parts/focus-free";
import { type Feed, loadMore } from "../store/feeds";
import { wantedMessage } from "../store/focused";
import { keepPlace } from "../store/kept-place";
import { type News, newsIn } from "../store/unread-on-entry";
import {
  type Anchor,
  anchorAt,
  anchorIn,
  atEnd,
  atMessage,
  isEndInView,
  keepAnchor,
  keepWhileScrolling,
} from "./anchor";
import {
  type Bounds,
  boundsOf,
  extended,
  firstBounds,
  placeOfId,
  rowsMax,
  type Slice,
  sliceOf,
} from "./slice";

/** Nearer than so many pixels to an end of the rows, there are more of them. */
const nearPixels = 1_500;

/** Pixels below the top of the view at which a message is shown that a link leads to. */
const nearTop = 120;

/** The part of a feed that is drawn, and the place in it. */
interface View {
  anchor: Anchor;
  /** The message that a pointer presses, kept at its pixel so that the pointer leaves what it has met. */
  pressed: Anchor | undefined;
  /** Undefined until messages are loaded. */
  bounds: Bounds | undefined;
  /** Messages that were unread on entry. */
  news: News | undefined;
  /** Whether the end of the feed is in the document. */
  isEndDrawn: boolean;
  /** Position of the scroller as it was noted last. */
  top: number;
  /** Direction in which somebody has scrolled last. */
  toward: "older" | "newer" | undefined;
  /** The message that was brought into view last because it was wanted. */
  shown: { readonly id: number } | undefined;
}

/** Views that were left, by their feed, so that going back leads to the pixel. */
const left = new Map<string, View>();
const leftMax = 20;

type Ref<Value> = { current: Value };

/** The part of a feed that is in the document, kept at its place whatever comes or changes. */
export function useWindow(feed: Feed, key: string) {
  const scroller = useRef<HTMLDivElement>(null);
  const view = useRef<View>(undefined);
  view.current ??= returned(key, feed) ?? newView();
  const here = view.current;
  const [isFar, setFar] = useState(false);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  if (feed.isLoaded && !here.bounds) begin(here, feed);
  const slice = here.bounds
    ? sliceOf(feed.messages, here.bounds, here.anchor.isAtEnd)
    : { start: 0, end: 0 };
  // Rows that are there by now stay where somebody scrolls away from the end.
  if (here.bounds && here.anchor.isAtEnd) here.bounds = boundsOf(feed.messages, slice);
  here.isEndDrawn = feed.isNewest && slice.end === feed.messages.length;
  const fill = () => {
    const element = scroller.current;
    if (!element || !feed.isLoaded) return;
    setFar(isFarFromEnd(element, here));
    if (reach(element, here, feed, slice)) redraw(undefined);
  };
  useAnchor(scroller, here);
  usePress(scroller, here);
  useEffect(fill);
  useWanted(scroller, { view: here, feed, slice }, () => redraw(undefined));
  useEffect(() => () => leave(key, here), [key]);
  useEffect(() => {
    const keep = () => keepPlace(here.anchor.isAtEnd ? undefined : here.anchor.rows[0]);
    addEventListener("pagehide", keep);
    return () => removeEventListener("pagehide", keep);
  }, [here]);
  const onScroll = () => {
    if (!scroller.current || !feed.isLoaded) return;
    note(scroller.current, here);
    fill();
  };
  return { scroller, slice, news: here.news, isFar, onScroll };
}

const newView = (): View => ({
  anchor: atEnd,
  pressed: undefined,
  bounds: undefined,
  news: undefined,
  isEndDrawn: false,
  top: 0,
  toward: undefined,
  shown: undefined,
});

/** A view that was left, with what is unread on return. */
function returned(key: string, { narrow }: Feed): View | undefined {
  const view = left.get(key);
  return view && { ...view, news: newsIn(narrow), pressed: undefined, top: 0, shown: undefined };
}

/** Begins at the message that is meant, or else where the unread ones begin, or at the end. */
function begin(view: View, feed: Feed): void {
  const { narrow, messages } = feed;
  view.news = newsIn(narrow);
  const startId = startOf(feed, view.news);
  view.bounds = firstBounds(messages, startId);
  view.anchor = startId === undefined ? atEnd : atMessage(startId, feed.openedTop ?? nearTop);
}

/** The message at which a feed begins; undefined for its end. */
function startOf({ messages, openedAt, start }: Feed, news: News | undefined): number | undefined {
  if (openedAt !== undefined) return openedAt;
  if (start === "oldest") return messages[0]?.id;
  if (start === "newest" || news === undefined) return undefined;
  return messages[placeOfId(messages, news.firstId)]?.id;
}

/** Keeps a place that is left; one at the end is found again without. */
function leave(key: string, view: View): void {
  left.delete(key);
  if (!view.anchor.isAtEnd) left.set(key, view);
  const [oldest] = left.keys();
  if (left.size > leftMax && oldest !== undefined) left.delete(oldest);
}

/** Keeps the anchor at its pixel: after each drawing, and when something in the feed changes its size. */
function useAnchor(scroller: Ref<HTMLDivElement | null>, view: View): void {
  const topBefore = scroller.current?.scrollTop;
  const keep = (hasMoved: boolean) => {
    const element = scroller.current;
    if (!element) return;
    // A movement that was not told of yet is somebody's own, but for the one at the end of the rows,
    // which browsers make where rows have gone.
    if (hasMoved && !isEndInView(element)) note(element, view);
    else keepAnchor(element, view.pressed ?? view.anchor);
    // The end that is in view is followed, also where the view was opened at unread messages.
    if (view.isEndDrawn && isEndInView(element)) view.anchor = atEnd;
    view.top = element.scrollTop;
  };
  // Nobody scrolls while rows are drawn, but WebKit may: where some have gone and others are to come.
  useLayoutEffect(() => keep(topBefore !== undefined && topBefore !== view.top));
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => keep(element.scrollTop !== view.top));
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scroller, view]);
}

/**
 * Keeps the message that a pointer presses at its pixel until the press is over: a click is one where
 * the pointer goes down and up at one element.
 */
function usePress(scroller: Ref<HTMLDivElement | null>, view: View): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // The click comes after the pointer has gone up.
    const release = () => setTimeout(end);
    const end = () => {
      if (!view.pressed || !element.isConnected) return;
      view.pressed = undefined;
      if (!view.anchor.isAtEnd) view.anchor = anchorIn(element, view.isEndDrawn);
      keepAnchor(element, view.anchor);
      view.top = element.scrollTop;
    };
    element.onpointerdown = ({ target }) => {
      view.pressed = target instanceof Element ? anchorAt(element, target) : undefined;
      window.onpointerup = window.onpointercancel = release;
    };
  }, [scroller, view]);
}

/** Notes the place that somebody has scrolled to. */
function note(scroller: HTMLElement, view: View): void {
  const scrolled = scroller.scrollTop - view.top;
  if (scrolled === 0) return;
  keepWhileScrolling(scroller, view.anchor, scrolled);
  view.pressed = undefined;
  view.toward = scrolled < 0 ? "older" : "newer";
  view.anchor = anchorIn(scroller, view.isEndDrawn);
  view.top = scroller.scrollTop;
}

/**
 * Has more rows drawn, or loaded, where an end of them is near; answers whether the part is another
 * now. When the part has all the rows that it may have, it moves on only where somebody scrolls to.
 */
function reach(scroller: HTMLElement, view: View, feed: Feed, slice: Slice): boolean {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  const isFull = slice.end - slice.start >= rowsMax;
  const near = isFull ? Math.min(nearPixels, (scrollHeight - clientHeight) / 3) : nearPixels;
  const wants = (end: "older" | "newer", pixels: number) =>
    pixels < near && (!isFull || view.toward === end);
  const below = scrollHeight - scrollTop - clientHeight;
  if (wants("older", scrollTop) && goOn(view, feed, slice, "older")) return true;
  return wants("newer", below) && goOn(view, feed, slice, "newer");
}

function goOn(view: View, feed: Feed, slice: Slice, end: "older" | "newer"): boolean {
  const isAtBound = end === "older" ? slice.start === 0 : slice.end === feed.messages.length;
  if (!isAtBound) view.bounds = extended(feed.messages, slice, end);
  else if (feed.refusal === undefined) loadMore(feed, end);
  return !isAtBound;
}

/** Brings the message that is wanted into view, and the focus to it where no text is written. */
function useWanted(scroller: Ref<HTMLDivElement | null>, shown: Drawn, redraw: () => void): void {
  const { view, feed, slice } = shown;
  const wanted = wantedMessage.value;
  const place = wanted === undefined ? -1 : placeOfId(feed.messages, wanted.id);
  const isDrawn = place >= slice.start && place < slice.end;
  useLayoutEffect(() => {
    if (!wanted || wanted === view.shown || feed.messages[place]?.id !== wanted.id) return;
    if (isDrawn && scroller.current) {
      view.shown = wanted;
      focusRow(scroller.current, wanted.id);
    } else {
      view.bounds = firstBounds(feed.messages, wanted.id);
      view.anchor = atMessage(wanted.id, nearTop);
      redraw();
    }
  }, [wanted, isDrawn]);
}

interface Drawn {
  view: View;
  feed: Feed;
  slice: Slice;
}

function focusRow(scroller: HTMLElement, id: number): void {
  const row = scroller.querySelector<HTMLElement>(`[data-id="${id}"]`);
  const { activeElement: active } = document;
  if (!row || row.contains(active)) return;
  row.scrollIntoView({ block: "nearest" });
  if (isFocusFree() || scroller.contains(active)) row.focus({ preventScroll: true });
}

/** Whether the end of a feed is more than a view away. */
const isFarFromEnd = (scroller: HTMLElement, { isEndDrawn }: View): boolean => {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  return !isEndDrawn || scrollHeight - scrollTop - clientHeight > clientHeight;
};
