import { useRef } from "preact/hooks";
import { openPalette } from "../keys/overlay";
import { everything, isNarrow, kindOf, mentionsNarrow, starredNarrow } from "../model/narrow-kind";
import { hasFailed } from "../model/scheduled";
import { Icon } from "../parts/icon";
import { keyName } from "../parts/key-names";
import { lateParts } from "../parts/late";
import { useRoving } from "../parts/roving-lines";
import { inboxCount } from "../store/inbox";
import { fragmentOf } from "../store/names";
import { place } from "../store/place";
import { organization, reminders, scheduled, settings, starred, unread } from "../store/state";
import { words } from "../words/words";
import { Line } from "./line";
import { RailChannels } from "./rail-channels";
import { RailDirect } from "./rail-direct";
import { RailFilter } from "./rail-filter";

/**
 * The list of conversations with their unread counts. `isWhole` is true if nothing is shown beside
 * it.
 */
export function Rail({ isWhole }: { isWhole: boolean }) {
  const [Pane, Name] = isWhole ? (["main", "h1"] as const) : (["div", "b"] as const);
  const list = useRef<HTMLElement>(null);
  useRoving(list);
  const late = lateParts.value;
  return (
    <Pane class="rail">
      <header>
        <div class="org">
          <span class="mark">
            <Icon name="chat" />
          </span>
          <Name class="name" dir="auto">
            {organization.value.name}
          </Name>
          <a
            class="tool"
            href="#settings"
            title={words.views.settings}
            aria-label={words.views.settings}
          >
            <Icon name="gear" />
          </a>
        </div>
        <button type="button" class="jump" onClick={openPalette}>
          <Icon name="search" />
          <span class="name">{words.views.jump}</span>
          <kbd>{keyName("Ctrl K")}</kbd>
        </button>
        <RailFilter />
      </header>
      <nav ref={list} aria-label={words.conversations}>
        <RailViews />
        <RailDirect />
        <RailChannels />
      </nav>
      {isWhole && late && <late.ListFoot />}
    </Pane>
  );
}

/** The views that show several conversations. */
function RailViews() {
  const { view, narrow } = place.value;
  const isShown = (of: typeof narrow) => view === "messages" && isNarrow(narrow, of);
  const starredCount = settings.value.starred_message_counts ? starred.value.size : 0;
  return (
    <ul>
      <Line
        href="#inbox"
        isCurrent={view === "inbox"}
        mark={<Icon name="inbox" />}
        name={words.views.inbox}
        count={inboxCount.value}
      />
      <Line
        href="#recent"
        isCurrent={view === "recent"}
        mark={<Icon name="clock" />}
        name={words.views.recent}
      />
      <Line
        href={fragmentOf(everything)}
        isCurrent={view === "messages" && kindOf(narrow).kind === "all"}
        mark={<Icon name="list" />}
        name={words.allMessages}
      />
      <Line
        href={fragmentOf(mentionsNarrow)}
        isCurrent={isShown(mentionsNarrow)}
        mark={<Icon name="at" />}
        name={words.views.mentions}
        count={unread.value.mentions.size}
        isMine
      />
      <Line
        href={fragmentOf(starredNarrow)}
        isCurrent={isShown(starredNarrow)}
        mark={<Icon name="star" />}
        name={words.views.starred}
        count={starredCount}
      />
      <Line
        href="#drafts"
        isCurrent={view === "drafts"}
        mark={<Icon name="draft" />}
        name={words.views.drafts}
        count={lateParts.value?.draftCount.value ?? 0}
        counted={words.views.texts}
      />
      <Ahead view="scheduled" count={scheduled.value.size} isMine={hasFailed(scheduled.value)} />
      <Ahead view="reminders" count={reminders.value.size} />
    </ul>
  );
}

interface AheadProps {
  view: "scheduled" | "reminders";
  count: number;
  isMine?: boolean;
}

/** A line for scheduled messages or reminders, shown if there are any. */
const Ahead = ({ view, count, isMine = false }: AheadProps) =>
  count > 0 || place.value.view === view ? (
    <Line
      href={`#${view}`}
      isCurrent={place.value.view === view}
      mark={<Icon name={view === "scheduled" ? "send" : "bell"} />}
      name={words.views[view]}
      count={count}
      counted={words.views.texts}
      isMine={isMine}
    />
  ) : null;
