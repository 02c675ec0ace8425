import { useEffect } from "preact/hooks";
import { Compose } from "../compose/compose";
import { FeedView } from "../feed/feed";
import { narrowKey } from "../model/narrow-kind";
import { feedOf } from "../store/feeds";
import { panes, place } from "../store/place";
import { isConnected, me, organization } from "../store/state";
import { words } from "../words/words";
import { Head, titleOf } from "./head";
import { Overlays } from "./overlays";
import { Rail } from "./rail";

/** The whole of the page: the rail, and the messages of the place that the address leads to. */
export function Shell() {
  const narrow = place.value.narrow;
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
            <Compose />
          </div>
        </main>
      )}
      <Overlays />
    </div>
  );
}

function Messages() {
  const { narrow, isLost } = place.value;
  const feed = feedOf(narrow);
  const key = `${narrowKey(narrow, me.value)} ${feed?.openedAt ?? ""}`;
  return (
    <>
      {isLost && (
        <p class="status" role="status">
          {words.nowhere} {words.nowhereHelp}
        </p>
      )}
      {feed && <FeedView key={key} feedKey={key} feed={feed} />}
    </>
  );
}
