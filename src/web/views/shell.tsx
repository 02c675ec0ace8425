import { useEffect } from "preact/hooks";
import { DraftsView } from "../compose/drafts-view";
import { liveWords } from "../store/arrivals";
import { titleCount } from "../store/inbox";
import { arePeopleShown } from "../store/people-pane";
import { panes, place, type View as ViewName } from "../store/place";
import { organization } from "../store/state";
import { words } from "../words/words";
import { Head, nameOf } from "./head";
import { Inbox } from "./inbox";
import { Messages } from "./messages";
import { Overlays } from "./overlays";
import { PaletteDoor } from "./palette-door";
import { People } from "./people";
import { Rail } from "./rail";
import { Recent } from "./recent";
import { Topics } from "./topics";

/** The whole of the page: the rail, the view that the address leads to, and the people beside it. */
export function Shell() {
  const count = titleCount.value;
  const name = `${nameOf(place.value)} – ${organization.value.name}`;
  const title = count === 0 ? name : `(${count}) ${name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div class="shell">
      {panes.value !== "messages" && <Rail isWhole={panes.value === "conversations"} />}
      {panes.value !== "conversations" && (
        <main class="conversation">
          <View />
        </main>
      )}
      {panes.value !== "conversations" && arePeopleShown.value && <People />}
      <p class="visually-hidden" aria-live="polite">
        {liveWords.value}
      </p>
      <PaletteDoor />
      <Overlays />
    </div>
  );
}

function View() {
  const { view, isLost } = place.value;
  return (
    <>
      {isLost && (
        <p class="lost" role="alert">
          {words.nowhere} {words.nowhereHelp}
        </p>
      )}
      {viewOf(view)}
    </>
  );
}

function viewOf(view: ViewName) {
  switch (view) {
    case "inbox":
      return <Inbox />;
    case "recent":
      return <Recent />;
    case "topics":
      return <Topics />;
    case "drafts":
      return (
        <>
          <Head />
          <DraftsView />
        </>
      );
    default:
      return <Messages />;
  }
}
