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

/** If an end of the rows is nearer than this, more rows are drawn. */
const nearPixels = 1_500;

/** The distance from the top of the view at which the message of a link is shown, in pixels. */
const nearTop = 120;

/** The drawn part of a feed, and the place in it. */
interface View {
  anchor: Anchor;
  /**
   * The message that the pointer is pressing. It must not move, so that the pointer leaves the
   * element that it has pressed.
   */
  pressed: Anchor | undefined;
  /** Undefined until messages are loaded. */
  bounds: Bounds | undefined;
  /** The messages that were unread when the feed was opened. */
  news: News | undefined;
  /** Whether the end of the feed is in the document. */
  isEndDrawn: boolean;
  /** The scroll position when it was last noted. */
  top: number;
  /** The direction in which somebody scrolled last. */
  toward: "older" | "newer" | undefined;
  /** The last request to show a message that was fulfilled. */
  shown: { readonly id: number } | undefined;
}

/** Views that were left, by feed, so that going back leads to the exact position. */
const left = new Map<string, View>();
const leftMax = 20;

type Ref<Value> = { current: Value };

/**
 * The part of a feed that is in the document. It stays in its place, whatever arrives or changes.
 */
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
  // If somebody scrolls away from the end, the present rows stay in the document.
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

/** A view that was left, with the messages that are unread now. */
function returned(key: string, { narrow }: Feed): View | undefined {
  const view = left.get(key);
  return view && { ...view, news: newsIn(narrow), pressed: undefined, top: 0, shown: undefined };
}

/**
 * Begins at the requested message, or else where the feed starts: at its oldest, first unread or
 * newest message.
 */
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

/** Stores the place in a view that is left, unless it is the end, where views open anyway. */
function leave(key: string, view: View): void {
  left.delete(key);
  if (!view.anchor.isAtEnd) left.set(key, view);
  const [oldest] = left.keys();
  if (left.size > leftMax && oldest !== undefined) left.delete(oldest);
}

/**
 * Keeps the anchor in its position, after each drawing, and when something in the feed changes its
 * size.
 */
function useAnchor(scroller: Ref<HTMLDivElement | null>, view: View): void {
  const topBefore = scroller.current?.scrollTop;
  const keep = (hasMoved: boolean) => {
    const element = scroller.current;
    if (!element) return;
    // A movement that was not noted yet is the reader's own, except at the end of the rows, where
    // browsers scroll by themselves when rows were removed.
    if (hasMoved && !isEndInView(element)) note(element, view);
    else keepAnchor(element, view.pressed ?? view.anchor);
    // If the end is visible, it stays visible, even if the view was opened at unread messages.
    if (view.isEndDrawn && isEndInView(element)) view.anchor = atEnd;
    view.top = element.scrollTop;
  };
  // Nobody scrolls while rows are drawn. But WebKit may scroll when rows were removed before others
  // are added.
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
 * Keeps the message that the pointer is pressing in its position until the press is over, because a
 * click needs the pointer to go down and up on one element.
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

/** Notes the place to which somebody has scrolled. */
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
 * If an end of the rows is near, draws or loads more rows; returns whether the part has changed. If
 * the part already has the greatest number of rows, it only moves in the direction in which
 * somebody scrolls.
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

/** Scrolls to the requested message, and focuses it unless a text is being written. */
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

/** Whether the end of a feed is more than the height of a view away. */
const isFarFromEnd = (scroller: HTMLElement, { isEndDrawn }: View): boolean => {
  const { scrollTop, scrollHeight, clientHeight } = scroller;
  return !isEndDrawn || scrollHeight - scrollTop - clientHeight > clientHeight;
};
