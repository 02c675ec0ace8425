import { useEffect, useRef } from "preact/hooks";
import { lateParts } from "../parts/late";
import { liveWords } from "../store/arrivals";
import { titleCount } from "../store/inbox";
import { arePeopleShown } from "../store/people-pane";
import { isSideASheet, panes, place, type View as ViewName } from "../store/place";
import { organization } from "../store/state";
import { grouped, words } from "../words/words";
import { Head, nameOf } from "./head";
import { Messages } from "./messages";
import { Rail } from "./rail";

/** The whole page: the rail, the view of the address, and the people beside it. */
export function Shell() {
  const late = lateParts.value;
  const live = liveWords.value;
  const count = titleCount.value;
  const name = `${nameOf(place.value)} · ${organization.value.name}`;
  const title = count === 0 ? name : `(${grouped(count)}) ${name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div class="shell" data-whole={late !== undefined}>
      {panes.value !== "messages" && <Rail isWhole={panes.value === "conversations"} />}
      {panes.value !== "conversations" && (
        <main class="conversation">
          <View />
        </main>
      )}
      {panes.value !== "conversations" && arePeopleShown.value && <Side />}
      <p class="visually-hidden" aria-live="polite">
        {live.text !== "" && <span key={live.number}>{live.text}</span>}
      </p>
      {late && <late.Overlays />}
    </div>
  );
}

function View() {
  const { view, isLost } = place.value;
  const late = lateParts.value;
  return (
    <>
      {isLost && (
        <p class="lost" role="alert">
          {words.nowhere} {words.nowhereHelp}
        </p>
      )}
      {late && <late.OfflineNote />}
      {isOfMessages(view) ? <Messages /> : late ? <late.ListView /> : <Head />}
      {late && !isOfMessages(view) && <late.ListFoot />}
    </>
  );
}

/** Whether a view shows messages. */
const isOfMessages = (view: ViewName) => view === "messages";

/**
 * The place of the people beside the messages. It is kept until they are loaded, because messages
 * that are drawn wider for a moment would move.
 */
function Side() {
  const side = useRef<HTMLElement>(null);
  const late = lateParts.value;
  const isSheet = isSideASheet.value;
  if (!late && isSheet) return null;
  return (
    <aside
      ref={side}
      class={isSheet ? "side sheet" : "side"}
      aria-label={words.views.people}
      aria-hidden={late ? undefined : true}
    >
      {late && <late.People side={side} />}
    </aside>
  );
}
