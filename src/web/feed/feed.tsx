import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { OutgoingRows } from "../compose/outgoing";
import { isMixed } from "../model/narrow-kind";
import { type Feed, loadMore, retry } from "../store/feeds";
import { me } from "../store/state";
import { words } from "../words/words";
import { useActiveMessage } from "./actions";
import { type Anchor, anchorIn, keepAnchor } from "./anchor";
import { toggleSpoiler } from "./content";
import { groupingOf } from "./grouping";
import { useReadOnSight } from "./read-on-sight";
import { Row } from "./row";

/** Nearer than so many pixels to an end, more messages are loaded there. */
const nearPixels = 1_500;

/** Places in feeds that were left, by the feed's own key, so that going back leads to the pixel. */
const left = new Map<string, Anchor>();

/** The messages of a view. The one that is read stays where it is, whatever comes or changes. */
export function FeedView({ feed, feedKey }: { feed: Feed; feedKey: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>(left.get(feedKey) ?? startOf(feed));
  useAnchor(scroller, anchor);
  useActiveMessage(scroller);
  useReadOnSight(scroller, feed);
  useEffect(() => () => void left.set(feedKey, anchor.current), [feedKey]);
  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    if (feed.isLoaded) anchor.current = anchorIn(element);
    const { scrollTop, scrollHeight, clientHeight } = element;
    if (scrollTop < nearPixels) loadMore(feed, "older");
    if (scrollHeight - scrollTop - clientHeight < nearPixels) loadMore(feed, "newer");
  };
  useEffect(onScroll, [feed.messages, feed.isLoaded]);
  return (
    <section
      class="feed"
      ref={scroller}
      aria-label={words.messages}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
      tabIndex={0}
      onScroll={onScroll}
      onClick={toggleSpoiler}
      onKeyDown={openByKey}
    >
      <Rows feed={feed} />
    </section>
  );
}

const startOf = ({ openedAt }: Feed): Anchor =>
  openedAt === undefined ? { isAtEnd: true } : { isAtEnd: false, id: openedAt, top: nearTop };

/** Pixels below the top of the view at which a message is shown that a link leads to. */
const nearTop = 120;

/** Keeps the anchor at its pixel: after each drawing, and when something in the feed changes its size. */
function useAnchor(
  scroller: { current: HTMLDivElement | null },
  anchor: { current: Anchor },
): void {
  useLayoutEffect(() => {
    if (scroller.current) keepAnchor(scroller.current, anchor.current);
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => keepAnchor(element, anchor.current));
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scroller, anchor]);
}

function openByKey(event: KeyboardEvent): void {
  const isHeader = event.target instanceof Element && event.target.matches(".spoiler-header");
  if (!isHeader || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  toggleSpoiler(event);
}

function Rows({ feed }: { feed: Feed }) {
  const { messages, narrow, openedAt } = feed;
  return (
    <div class="rows" role="feed" aria-busy={!feed.isLoaded}>
      {feed.refusal !== undefined && <NotLoaded feed={feed} why={feed.refusal} />}
      {messages.length === 0 && feed.refusal === undefined && (
        <p class="empty">{feed.isLoaded ? words.emptyFeed : words.loading}</p>
      )}
      {messages.map((message, index) => (
        <Row
          key={message.id}
          message={message}
          grouping={groupingOf(messages[index - 1], message, me.value)}
          isMixed={isMixed(narrow)}
          isFocused={message.id === openedAt}
        />
      ))}
      {feed.isNewest && <OutgoingRows narrow={narrow} />}
    </div>
  );
}

const NotLoaded = ({ feed, why }: { feed: Feed; why: string }) => (
  <p class="empty" role="alert">
    {words.notLoaded(why)}{" "}
    <button type="button" class="chip" onClick={() => retry(feed)}>
      {words.tryAgain}
    </button>
  </p>
);
