import { useSignalEffect } from "@preact/signals";
import { isMixed, kindOf } from "../model/narrow-kind";
import { Icon } from "../parts/icon";
import { lateParts, withLateParts } from "../parts/late";
import { withRarePart } from "../parts/rare";
import { TryAgain } from "../parts/try-again";
import { goToFeedEnd } from "../store/feed-ends";
import { type Feed, retry } from "../store/feeds";
import { focusedMessage } from "../store/focused";
import { me } from "../store/state";
import type { News } from "../store/unread-on-entry";
import { zone } from "../store/zone";
import { words } from "../words/words";
import { openCardAt } from "./card-at";
import { nameMentions, pictureAt, renewTimes, toggleSpoiler } from "./content";
import { groupingOf } from "./grouping";
import { Row } from "./row";
import { placeOfId, type Slice } from "./slice";
import { useWindow } from "./window";

/**
 * The messages of a view. The message that is being read stays in its place, whatever arrives or
 * changes.
 */
export function FeedView({ feed, feedKey }: { feed: Feed; feedKey: string }) {
  const key = `${feedKey} ${feed.generation}`;
  return <FeedWindow key={key} feed={feed} windowKey={key} />;
}

function FeedWindow({ feed, windowKey }: { feed: Feed; windowKey: string }) {
  const { scroller, slice, news, isFar, onScroll } = useWindow(feed, windowKey);
  const late = lateParts.value;
  useSignalEffect(() => {
    if (scroller.current) nameMentions(scroller.current);
  });
  useSignalEffect(() => {
    if (scroller.current) renewTimes(scroller.current);
  });
  return (
    <section
      class="feed"
      ref={scroller}
      aria-label={words.messages}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
      tabIndex={0}
      onScroll={onScroll}
      onClick={onClick}
      onKeyDown={openByKey}
      onFocusIn={noteFocus}
    >
      <Rows feed={feed} slice={slice} news={news} />
      {isFar && <ToNewest />}
      {late && <late.ReaderFollower scroller={scroller} feed={feed} />}
    </section>
  );
}

/** Goes to the newest message. Shown while the reader is far above it. */
const ToNewest = () => (
  <div class="to-newest">
    <button
      type="button"
      class="tool"
      title={words.toNewest}
      aria-label={words.toNewest}
      onClick={() => goToFeedEnd("newest")}
    >
      <Icon name="down" />
    </button>
  </div>
);

function onClick(event: MouseEvent): void {
  openCardAt(event);
  enlarge(event);
  toggleSpoiler(event);
  withLateParts(({ copyCode }) => copyCode(event));
}

/** Notes the focused message, on which keys act. */
function noteFocus({ target }: FocusEvent): void {
  const row = target instanceof Element ? target.closest<HTMLElement>("article[data-id]") : null;
  if (row) focusedMessage.value = Number(row.dataset["id"]);
}

function openByKey(event: KeyboardEvent): void {
  const { target, key } = event;
  const isButton = target instanceof Element && target.matches(".rendered [role=button]");
  if (!isButton || (key !== "Enter" && key !== " ")) return;
  event.preventDefault();
  openCardAt(event);
  toggleSpoiler(event);
  enlarge(event);
}

/** Opens the pressed picture in the lightbox. */
function enlarge(event: MouseEvent | KeyboardEvent): void {
  const picture = pictureAt(event);
  const row = picture?.closest<HTMLElement>("article[data-id]");
  if (!picture || !row) return;
  event.preventDefault();
  const id = Number(row.dataset["id"]);
  void withRarePart("lightbox", ({ openLightbox }) => openLightbox(id, picture));
}

interface RowsProps {
  feed: Feed;
  /** The messages that are in the document. */
  slice: Slice;
  news: News | undefined;
}

function Rows({ feed, slice, news }: RowsProps) {
  const { messages, narrow } = feed;
  const late = lateParts.value;
  const focusedId = focusedMessage.value;
  // In another zone, other messages begin a day.
  void zone.value;
  const firstNew = news && messages[placeOfId(messages, news.firstId)]?.id;
  const isSeveral = isMixed(narrow);
  const areFound = kindOf(narrow).kind === "search";
  return (
    <div class="rows" role="feed" aria-busy={!feed.isLoaded}>
      {feed.refusal?.isBelow === false && <NotLoaded feed={feed} why={feed.refusal.why} />}
      {messages.length === 0 && !feed.isLoaded && feed.refusal === undefined && (
        <p class="empty">{words.loading}</p>
      )}
      {messages.slice(slice.start, slice.end).map((message, index) => (
        <Row
          key={message.id}
          message={message}
          {...groupingOf(messages[slice.start + index - 1], message, me.value)}
          isMixed={isSeveral}
          isFound={areFound}
          isFocused={message.id === focusedId}
          match={feed.matches.get(message.id)}
          newCount={message.id === firstNew ? news?.count : undefined}
        />
      ))}
      {feed.refusal?.isBelow && slice.end === messages.length && (
        <NotLoaded feed={feed} why={feed.refusal.why} />
      )}
      {late && feed.isNewest && slice.end === messages.length && (
        <late.OutgoingRows narrow={narrow} />
      )}
    </div>
  );
}

/** Why messages are missing here. */
const NotLoaded = ({ feed, why }: { feed: Feed; why: string }) => (
  <article>
    <p class="empty" role="alert">
      {words.notLoaded(why)} <TryAgain again={() => retry(feed)} />
    </p>
  </article>
);
