import { useEffect } from "preact/hooks";
import { FeedView } from "../feed/feed";
import { channelNarrow, isMixed, kindOf, namedNarrow, narrowKey } from "../model/narrow-kind";
import { keyName } from "../parts/key-names";
import { lateParts } from "../parts/late";
import { readAloud } from "../store/arrivals";
import { feedOf } from "../store/feeds";
import { fragmentOf } from "../store/names";
import { place } from "../store/place";
import { areResults } from "../store/search";
import { me } from "../store/state";
import { words } from "../words/words";
import { Head } from "./head";
import { Nothing } from "./nothing";
import { TypingLine } from "./typing-line";

/** The messages of a narrow, with their head. */
export function Messages() {
  const { narrow } = place.value;
  const late = lateParts.value;
  const feed = feedOf(narrow);
  const key = `${narrowKey(narrow, me.value)} ${feed?.openedAt ?? ""}`;
  const isEmpty =
    feed?.isLoaded === true &&
    feed.messages.length === 0 &&
    !feed.refusal &&
    !late?.hasOutgoing(narrow);
  useEffect(() => {
    if (isEmpty && areResults()) readAloud(words.views.nothingFound);
  }, [key, isEmpty]);
  return (
    <>
      <Head>
        <TopicsLink />
      </Head>
      {late && <late.SearchNotes />}
      {isEmpty ? (
        <section class="pane" aria-label={words.messages}>
          <NothingHere />
        </section>
      ) : (
        feed && <FeedView key={key} feedKey={key} feed={feed} />
      )}
      <div>
        {late && <late.UnsentElsewhere narrow={narrow} />}
        <TypingLine />
        {late ? <late.Compose /> : <BoxToCome isMixed={isMixed(narrow)} />}
      </div>
    </>
  );
}

/**
 * Keeps the place of the box until it is loaded, as high as an empty box. In some views a recipient
 * is chosen in it.
 */
const BoxToCome = ({ isMixed }: { isMixed: boolean }) => (
  <div class="compose writing to-come" aria-hidden="true">
    <div class="to">{isMixed ? <span class="chip" /> : <b>&nbsp;</b>}</div>
    <textarea rows={1} disabled />
    <div class="tools">
      <span class="send" />
    </div>
  </div>
);

/** A link from a channel to its list of topics. */
function TopicsLink() {
  const kind = kindOf(place.value.narrow);
  if (kind.kind !== "channel") return null;
  const fragment = fragmentOf(channelNarrow(kind.channelId));
  return (
    <a class="chip" href={fragment.replace(/^#narrow/, "#topics")}>
      {words.views.topics}
    </a>
  );
}

/** Explains an empty view, and how to get messages there. */
function NothingHere() {
  const { narrow } = place.value;
  const { views } = words;
  switch (namedNarrow(narrow, me.value)) {
    case "mentions":
      return <Nothing title={views.mentionsEmpty} help={views.mentionsEmptyHelp} />;
    case "starred":
      return (
        <Nothing title={views.starredEmpty} help={views.starredEmptyHelp(keyName("Ctrl S"))} />
      );
    case "reactions":
      return <Nothing title={views.reactionsEmpty} help={views.reactionsEmptyHelp} />;
    case "alerts":
      return <Nothing title={views.alertsEmpty} help={views.alertsEmptyHelp} />;
    case "files":
      return <Nothing title={views.filesEmpty} help={views.filesEmptyHelp} />;
    default:
      return kindOf(narrow).kind === "search" ? (
        <Nothing title={views.nothingFound} help={views.nothingFoundHelp} />
      ) : (
        <Nothing title={views.topicEmpty} help={views.topicEmptyHelp} />
      );
  }
}
