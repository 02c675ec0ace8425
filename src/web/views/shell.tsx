import { useEffect } from "preact/hooks";
import { Compose } from "../compose/compose";
import { FeedView } from "../feed/feed";
import { narrowKey } from "../store/belongs";
import { feedOf } from "../store/feeds";
import { fragmentOf } from "../store/narrow";
import { panes, place } from "../store/place";
import { isConnected, me, organization } from "../store/state";
import { words } from "../words/words";
import { Head, titleOf } from "./head";
import { Rail } from "./rail";

/** The whole of the page: the rail, and the messages of the place that the address leads to. */
export function Shell() {
  const narrow = place.value?.narrow;
  const title = `${titleOf(narrow)} – ${organization.value.name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div class="shell">
      {panes.value !== "messages" && <Rail isWhole={panes.value === "conversations"} />}
      {panes.value !== "conversations" && (
        <main class="conversation">
          <Head narrow={narrow} />
          <Messages />
          <div>
            <p class="status" role="status">
              {isConnected.value ? "" : words.disconnected}
            </p>
            {narrow && <Compose />}
          </div>
        </main>
      )}
    </div>
  );
}

function Messages() {
  const here = place.value;
  if (!here)
    return (
      <div class="empty">
        <p>{words.nowhereHelp}</p>
        <p>
          <a class="chip" href={fragmentOf({ kind: "all" }, "")}>
            {words.showAll}
          </a>
        </p>
      </div>
    );
  const feed = feedOf(here.narrow);
  const key = `${narrowKey(here.narrow, me.value)} ${feed?.openedAt ?? ""}`;
  return feed ? <FeedView key={key} feedKey={key} feed={feed} /> : null;
}
